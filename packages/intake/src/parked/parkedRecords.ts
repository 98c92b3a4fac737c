import type { RejectRow } from "@headwater/contracts";
import type { Postgres } from "@headwater/postgres/connection/postgres";
import { lockRejects, rescheduleRejects, takeDueRejects } from "../deadLetters/rejects.ts";
import { storeDeadLetters } from "../quarantine/quarantine.ts";

export interface Due {
  readonly nowMs: number;
  readonly rowsMax: number;
  /** Time at which a taken record is due again, should its outcome not come. */
  readonly againAtMs: number;
}

/** Port of parked records, as the redriver takes them. `parkedContract` says what implementations promise. */
export interface ParkedRecords {
  /** Takes records whose time has come, the longest due first; two redrivers never take the same one. */
  takeDue(due: Due): Promise<readonly RejectRow[]>;
  /** Stores the rows as dead letters, those of records that are still parked. */
  reject(rows: readonly RejectRow[]): Promise<void>;
}

/** Parked records in Postgres. */
export function createStoredParked(postgres: Postgres): ParkedRecords {
  return {
    takeDue: ({ nowMs, rowsMax, againAtMs }) =>
      postgres.transaction(async (transaction) => {
        const rows = await takeDueRejects(transaction, nowMs, rowsMax);
        await rescheduleRejects(transaction, rows, againAtMs);
        return rows;
      }),
    reject: (rejected) =>
      postgres.transaction(async (transaction) => {
        const locked = await lockRejects(transaction, rejected);
        const parked = new Set(locked.filter(({ status }) => status === "parked").map(nameOf));
        const rows = rejected.filter((row) => parked.has(nameOf(row)));
        await storeDeadLetters(transaction, rows, 0);
      }),
  };
}

function nameOf({ account, recordId }: Pick<RejectRow, "account" | "recordId">): string {
  return `${account}/${recordId}`;
}
