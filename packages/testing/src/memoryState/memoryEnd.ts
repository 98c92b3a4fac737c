import type { RejectRow, RejectStatus } from "@headwater/contracts";
import type { BatchEnd } from "@headwater/intake/state/stateStore";
import type { MemoryReject, MemoryTables } from "./memoryTables.ts";

const ENDLESS: ReadonlySet<RejectStatus> = new Set(["open", "parked", "redriven"]);

/** Stores what became of the records of a batch. */
export function storeMemoryEnd(tables: MemoryTables, end: BatchEnd): void {
  for (const row of end.rejects) tables.rejects.set(rejectName(row), refusedAgain(tables, row));
  for (const { status, code, ...key } of end.settled) {
    const row = tables.rejects.get(rejectName(key));
    if (row === undefined || !ENDLESS.has(row.status)) continue;
    tables.rejects.set(rejectName(key), { ...row, status, code: code === "" ? row.code : code, dueAt: null });
  }
  for (const { outcome: redriveOutcome, ...key } of end.redriven) {
    const row = tables.rejects.get(rejectName(key));
    if (row?.status !== "redriven" || row.redriveOutcome !== null) continue;
    tables.rejects.set(rejectName(key), { ...row, redriveOutcome });
  }
  if (end.resolutions !== undefined) tables.resolutions.push(end.resolutions);
  tables.receiptCounts.push(...end.receiptCounts);
  for (const { recordId } of end.applied) tables.applied.add(recordId);
  for (const { account, job, partition, lastRow } of end.imported) {
    tables.imported.set(`${account} ${job} ${partition}`, lastRow);
  }
  tables.triggered.push(...end.triggered);
  tables.uncompared.push(...end.uncompared);
  for (const count of end.outcomeCounts) addCount(tables, count);
  tables.offset = end.offset;
}

export function rejectName({ account, recordId }: { readonly account: number; readonly recordId: string }): string {
  return `${account}\n${recordId}`;
}

/** A record that is refused again keeps its first place in the log. */
function refusedAgain({ rejects }: MemoryTables, row: RejectRow): MemoryReject {
  const { status, code, path, message, payload, rejectedAt, attempts, dueAt, quarantinedBy } = row;
  const known = rejects.get(rejectName(row));
  if (known === undefined) return { ...row, redrive: null, redriveOutcome: null };
  return { ...known, status, code, path, message, payload, rejectedAt, attempts, dueAt, quarantinedBy };
}

function addCount({ outcomes }: MemoryTables, count: BatchEnd["outcomeCounts"][number]): void {
  const { account, hour, operation, applied, skipped, copies } = count;
  const name = `${account} ${hour} ${operation}`;
  const known = outcomes.get(name) ?? { applied: 0, skipped: 0, copies: 0 };
  outcomes.set(name, {
    applied: known.applied + applied,
    skipped: known.skipped + skipped,
    copies: known.copies + copies,
  });
}
