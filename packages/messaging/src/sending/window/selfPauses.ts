import type { Account } from "@headwater/contracts";
import type { Transaction } from "@headwater/postgres/connection/session";
import { retryOnConflict } from "@headwater/postgres/connection/writeConflict";
import { ANSWER_MARKS, RENDER_MARKS, type SelfPause, selfPauseOf } from "../../batchMessages/health.ts";
import { addMessageHealth, type HealthNote } from "../../batchMessages/healthRows.ts";
import { pauseMessage } from "../../batchMessages/pauseMessage.ts";
import type { SendOutcome } from "../../outcomes/classifyAnswer.ts";
import type { StoredSend } from "../../sends/sendRow.ts";
import type { SenderPorts } from "../ports.ts";
import type { PreparedSend } from "./prepareWindow.ts";

/** A message that has to pause, and why. */
export interface Pause {
  readonly id: string;
  readonly reason: SelfPause;
}

/** Letters that one send adds to its message. */
export interface HealthMark {
  readonly send: Pick<StoredSend, "message" | "kind">;
  /** A letter of `RENDER_MARKS`, or nothing. */
  readonly render?: string;
  /** A letter of `ANSWER_MARKS`, or nothing. */
  readonly answer?: string;
}

/** Returns what rendering a send adds. Who gets nothing for another reason was not rendered. */
export function renderMark({ send, outcome }: Pick<PreparedSend, "send" | "outcome">): HealthMark {
  if (outcome.kind === "composed") return { send, render: RENDER_MARKS.made };
  const isFailed = outcome.kind === "skip" && outcome.reason === "render-failed";
  return isFailed ? { send, render: RENDER_MARKS.failed } : { send };
}

/** Returns what an attempt adds. One that is repeated, or of which nobody knows the end, says nothing of the message. */
export function answerMark(send: HealthMark["send"], outcome: SendOutcome): HealthMark {
  switch (outcome.kind) {
    case "transport-failure":
      return { send, answer: outcome.isDefinite === true ? ANSWER_MARKS.definite : ANSWER_MARKS.ours };
    case "soft-bounce":
      return { send, answer: outcome.bounce === "policy" ? ANSWER_MARKS.policy : ANSWER_MARKS.other };
    case "sent":
    case "hard-bounce":
      return { send, answer: ANSWER_MARKS.other };
    default:
      return { send };
  }
}

/** Adds to what is known of batch messages. @returns those that have to pause once the transaction is committed. */
export async function evaluateMessages(
  transaction: Transaction,
  account: Account,
  marks: readonly HealthMark[],
): Promise<Pause[]> {
  const marked = marks.filter(({ send, render, answer }) => send.kind === "b" && (render ?? answer) !== undefined);
  const notes = [...Map.groupBy(marked, ({ send }) => send.message)].map(([id, own]): HealthNote => {
    const joined = (deadLetters: readonly (string | undefined)[]) => deadLetters.join("");
    return { id, renders: joined(own.map(({ render }) => render)), answers: joined(own.map(({ answer }) => answer)) };
  });
  const known = await addMessageHealth(transaction, account.number, notes);
  return known.flatMap(({ id, ...health }) => {
    const reason = selfPauseOf(health);
    return reason === undefined ? [] : [{ id, reason }];
  });
}

/** Pauses messages. After a kill before it the next window finds the same. */
export async function pauseMessages(account: Account, pauses: readonly Pause[], ports: SenderPorts): Promise<void> {
  const { postgres, clock, logger, metrics } = ports;
  for (const { id, reason } of pauses) {
    const key = { account: account.number, id, reason };
    const isPaused = await retryOnConflict(() =>
      postgres.transaction((transaction) => pauseMessage(transaction, key, clock.nowMs())),
    );
    if (!isPaused) continue;
    metrics.paused.inc({ reason });
    logger.warn({ account: account.id, message: id, reason }, "a batch message has paused itself");
  }
}
