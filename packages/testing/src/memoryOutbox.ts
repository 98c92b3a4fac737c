import type { RejectRow } from "@headwater/contracts";
import type { OutboxPosition, OutboxRow, RelayProgress } from "@headwater/postgres/outbox/outbox";

type LocatedRow = OutboxRow & OutboxPosition;

/** The outbox in memory: what Postgres keeps in `outbox`, `relay_progress` and `rejects`. It passes `outboxContract`. */
export class MemoryOutbox {
  /** Dead letters by id of their record. */
  readonly letters = new Map<string, RejectRow>();
  #rows: readonly LocatedRow[] = [];
  #progress: RelayProgress = { xid: "0", position: 0, offsets: {} };
  #transactions = 0;

  /** Commits a transaction that appends the rows. */
  append(rows: readonly OutboxRow[]): void {
    const xid = String(++this.#transactions);
    this.#rows = [...this.#rows, ...rows.map((row) => ({ ...row, xid }))];
  }

  async next(rowsMax: number): Promise<{ readonly progress: RelayProgress; readonly rows: readonly LocatedRow[] }> {
    return { progress: this.#progress, rows: this.#rows.slice(0, rowsMax) };
  }

  async mark(from: RelayProgress, to: RelayProgress, deadLetters: readonly RejectRow[]): Promise<boolean> {
    const { xid, position } = this.#progress;
    if (xid !== from.xid || position !== from.position) return false;
    this.#progress = to;
    const last = this.#rows.findIndex((row) => row.xid === to.xid && row.position === to.position);
    this.#rows = this.#rows.slice(last + 1);
    for (const deadLetter of deadLetters) this.letters.set(deadLetter.recordId, deadLetter);
    return true;
  }
}
