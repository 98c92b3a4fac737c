import { liveRecord, type Supplement, type SupplementRecord } from "../supplements/supplement.ts";
import type { SupplementEntry } from "../supplements/supplementEntries.ts";
import { entryKeys } from "../supplements/supplementKeys.ts";
import type { SupplementUpdate } from "../supplements/supplementTables.ts";
import type { BatchChanges } from "../unitOfWork/batchChanges.ts";
import type { LoadedRows } from "../unitOfWork/loadedRows.ts";

/** Changes of a batch in the indexes of tables. */
export interface EntryChanges {
  readonly added: readonly SupplementEntry[];
  readonly removed: readonly SupplementEntry[];
}

const none: EntryChanges = { added: [], removed: [] };

/** Costs nothing where no table of the batch is indexed. */
export function entryChanges({ supplementRecords }: BatchChanges, rows: LoadedRows): EntryChanges {
  const tables = new Map<string, Supplement>();
  for (const [key, table] of rows.supplements) {
    // A key of loaded rows begins with the account.
    if (table !== null && table.indexes.length > 0) tables.set(`${Number.parseInt(key, 10)} ${table.id}`, table);
  }
  if (tables.size === 0) return none;
  const [added, removed]: [SupplementEntry[], SupplementEntry[]] = [[], []];
  for (const { account, record, before } of supplementRecords.values()) {
    const table = tables.get(`${account} ${record.supplement}`);
    if (table === undefined) continue;
    const [was, is] = [before, record].map((one) => entriesOf(account, table, liveRecord(one, table)));
    added.push(...lacking(is, was));
    removed.push(...lacking(was, is));
  }
  return { added, removed };
}

/** The entries of a record that is there; none of one that is not. */
export function entriesOf(
  account: number,
  { id: supplement, indexes }: Pick<Supplement, "id" | "indexes">,
  record: SupplementRecord | undefined,
): Map<string, SupplementEntry> {
  const entries = new Map<string, SupplementEntry>();
  if (record === undefined) return entries;
  for (const index of indexes) {
    const { slot } = index;
    for (const key of entryKeys(index, record.members)) {
      entries.set(`${slot} ${key}`, { account, supplement, slot, key, id: record.id });
    }
  }
  return entries;
}

type Entries = ReadonlyMap<string, SupplementEntry> | undefined;

function lacking(entries: Entries, others: Entries): SupplementEntry[] {
  return [...(entries ?? [])].flatMap(([name, entry]) => (others?.has(name) === true ? [] : [entry]));
}

/** Returns when the tables of the batch were written, each once. */
export function updatesOf({ supplementRecords }: BatchChanges): SupplementUpdate[] {
  const latest = new Map<string, SupplementUpdate>();
  for (const { account, record, visible } of supplementRecords.values()) {
    if (!visible) continue;
    const key = `${account} ${record.supplement}`;
    const at = Math.max(latest.get(key)?.at ?? 0, record.modifiedAt);
    latest.set(key, { account, supplement: record.supplement, at });
  }
  return [...latest.values()];
}
