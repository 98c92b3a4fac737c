import type { Logger } from "@headwater/kernel";
import type { Postgres } from "@headwater/postgres/connection/postgres";
import { retryOnConflict } from "@headwater/postgres/connection/writeConflict";
import { ANSWER_MARKS, selfPauseOf } from "../../batchMessages/health.ts";
import { addMessageHealth } from "../../batchMessages/healthRows.ts";
import { pauseMessage } from "../../batchMessages/pauseMessage.ts";

/** Batch message that a report is about. */
export interface RefusedMessage {
  readonly account: number;
  readonly message: string;
}

/** Notes a refusal by policy that came back as a report. Rejects while the store is away. */
export type NoteRefusal = (refused: RefusedMessage) => Promise<void>;

interface RefusalPorts {
  readonly postgres: Postgres;
  readonly logger: Logger;
  /** Milliseconds since 1970. */
  readonly nowMs: () => number;
}

/**
 * Counts refusals by policy among the answers that a message is evaluated by, as the sender counts those of its own dialogues: a relay takes every
 * mail, and says only later that it is blocked. Too many of them pause the message.
 */
export function createRefusalNotes({ postgres, logger, nowMs }: RefusalPorts): NoteRefusal {
  return async ({ account, message: id }) => {
    const note = { id, renders: "", answers: ANSWER_MARKS.policy };
    const [health] = await postgres.transaction((transaction) => addMessageHealth(transaction, account, [note]));
    const reason = health && selfPauseOf(health);
    if (reason === undefined) return;
    const isPaused = await retryOnConflict(() =>
      postgres.transaction((transaction) => pauseMessage(transaction, { account, id, reason }, nowMs())),
    );
    if (isPaused) logger.warn({ account, message: id, reason }, "a batch message has paused itself");
  };
}
