import type { RejectRow } from "@headwater/contracts";
import type { OutboxPlace, OutboxRow, RelayProgress } from "@headwater/postgres/outbox/outbox";

type PlacedRow = OutboxRow & OutboxPlace;

/** The outbox in memory: what Postgres keeps in `outbox`, `relay_progress` and `rejects`. It passes `outboxContract`. */
export class MemoryOutbox {
  /** Dead letters by id of their record. */
  readonly letters = new Map<string, RejectRow>();
  #rows: readonly PlacedRow[] = [];
  #progress: RelayProgress = { xid: "0", position: 0, offsets: {} };
  #transactions = 0;

  /** Commits a transaction that appends the rows. */
  append(rows: readonly OutboxRow[]): void {
    const xid = String(++this.#transactions);
    this.#rows = [...this.#rows, ...rows.map((row) => ({ ...row, xid }))];
  }

  async next(rowsMax: number): Promise<{ readonly progress: RelayProgress; readonly rows: readonly PlacedRow[] }> {
    return { progress: this.#progress, rows: this.#rows.slice(0, rowsMax) };
  }

  async mark(from: RelayProgress, to: RelayProgress, letters: readonly RejectRow[]): Promise<boolean> {
    const { xid, position } = this.#progress;
    if (xid !== from.xid || position !== from.position) return false;
    this.#progress = to;
    const last = this.#rows.findIndex((row) => row.xid === to.xid && row.position === to.position);
    this.#rows = this.#rows.slice(last + 1);
    for (const letter of letters) this.letters.set(letter.recordId, letter);
    return true;
  }
}
