import type { RejectRow } from "@headwater/contracts";

interface Due {
  readonly nowMs: number;
  readonly rowsMax: number;
  readonly againAtMs: number;
}

/** Refused records in memory: what Postgres keeps in `rejects`. It passes `parkedContract`. */
export class MemoryParked {
  /** Rows by id of the record. */
  readonly rows = new Map<string, RejectRow>();

  put(rows: readonly RejectRow[]): void {
    for (const row of rows) this.rows.set(row.recordId, row);
  }

  async takeDue({ nowMs, rowsMax, againAtMs }: Due): Promise<readonly RejectRow[]> {
    const due = [...this.rows.values()]
      .filter(({ status, dueAt }) => status === "parked" && dueAt !== null && dueAt <= nowMs)
      .sort((a, b) => (a.dueAt ?? 0) - (b.dueAt ?? 0))
      .slice(0, rowsMax);
    this.put(due.map((row) => ({ ...row, dueAt: againAtMs })));
    return due;
  }

  async reject(rows: readonly RejectRow[]): Promise<void> {
    this.put(rows.filter(({ recordId }) => this.rows.get(recordId)?.status === "parked"));
  }
}
