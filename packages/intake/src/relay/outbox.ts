import type { RejectRow } from "@headwater/contracts";
import type { Postgres } from "@headwater/postgres/connection/postgres";
import {
  deleteOutbox,
  type OutboxPosition,
  type OutboxRow,
  type RelayProgress,
  readOutbox,
  readRelayProgress,
  setRelayProgress,
} from "@headwater/postgres/outbox/outbox";
import { storeDeadLetters } from "../quarantine/quarantine.ts";

export interface NextRows {
  /** Position up to which all is published. */
  readonly progress: RelayProgress;
  readonly rows: readonly (OutboxRow & OutboxPosition)[];
}

/** Port of the outbox, as the relay works it off. `outboxContract` says what implementations promise. */
export interface Outbox {
  /** Returns the next rows in the order in which they were committed. */
  next(rowsMax: number): Promise<NextRows>;
  /**
   * Moves on to `to`: drops the rows up to there and stores the dead letters, all of it or nothing.
   * @returns false when another relay moved on from `from`, or an operator adopted the log of a partition.
   */
  mark(from: RelayProgress, to: RelayProgress, deadLetters: readonly RejectRow[]): Promise<boolean>;
}

/** The outbox in Postgres. */
export function createStoredOutbox(postgres: Postgres): Outbox {
  return {
    async next(rowsMax) {
      const progress = await readRelayProgress(postgres);
      return { progress, rows: await readOutbox(postgres, progress, rowsMax) };
    },
    mark: (from, to, letters) =>
      postgres.transaction(async (transaction) => {
        if (!(await setRelayProgress(transaction, from, to))) return false;
        await deleteOutbox(transaction, from, to);
        await storeDeadLetters(transaction, letters, 0);
        return true;
      }),
  };
}
