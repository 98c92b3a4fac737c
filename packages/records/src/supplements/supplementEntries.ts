import { plainArray, textArray } from "@headwater/postgres/connection/arrays";
import type { Transaction } from "@headwater/postgres/connection/session";

/** A value of an indexed field of one record; `key` sorts as the value does. */
export interface SupplementEntry {
  readonly account: number;
  readonly supplement: number;
  readonly slot: number;
  readonly key: string;
  readonly id: string;
}

const ROWS =
  "unnest($1::int[], $2::int[], $3::int[], $4::text[], $5::text[]) AS r (account, supplement, slot, key, id)";
const insertStatement = {
  name: "supplement_index_entries_insert",
  text: `INSERT INTO supplement_index_entries (account, supplement, slot, key, id)
    SELECT account, supplement, slot, key, id FROM ${ROWS} ORDER BY 1, 2, 3, 4, 5 ON CONFLICT DO NOTHING`,
};
const deleteStatement = {
  name: "supplement_index_entries_delete",
  text: `DELETE FROM supplement_index_entries e USING ${ROWS}
    WHERE e.account = r.account AND e.supplement = r.supplement AND e.slot = r.slot AND e.key = r.key AND e.id = r.id`,
};

/** Inserts entries of records that the transaction has locked or created. */
export function insertSupplementEntries(
  transaction: Transaction,
  entries: readonly SupplementEntry[],
): Promise<number> {
  return write(transaction, insertStatement, entries);
}

/** Deletes entries of records that the transaction has locked. One that an index lacks while it is being built is passed over. */
export function deleteSupplementEntries(
  transaction: Transaction,
  entries: readonly SupplementEntry[],
): Promise<number> {
  return write(transaction, deleteStatement, entries);
}

async function write(
  transaction: Transaction,
  statement: typeof insertStatement,
  entries: readonly SupplementEntry[],
): Promise<number> {
  if (entries.length === 0) return 0;
  return transaction.execute(statement, [
    plainArray(entries, (entry) => entry.account),
    plainArray(entries, (entry) => entry.supplement),
    plainArray(entries, (entry) => entry.slot),
    textArray(entries, (entry) => entry.key),
    textArray(entries, (entry) => entry.id),
  ]);
}
