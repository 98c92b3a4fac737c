import type { shapes } from "@headwater/contracts";
import type { Postgres } from "@headwater/postgres/connection/postgres";
import type { Transaction } from "@headwater/postgres/connection/session";
import { fromSupplementRecordRow, liveRecord } from "../supplements/supplement.ts";
import { insertSupplementEntries } from "../supplements/supplementEntries.ts";
import {
  addSupplementIndexes,
  type IndexAtWork,
  moveIndex,
  readRecordsAfter,
  removeIndexEntries,
  takeIndexesAtWork,
} from "../supplements/supplementIndexes.ts";
import type { SupplementKey } from "../supplements/supplements.ts";
import { entriesOf } from "./supplementEntries.ts";

/** Records that one step puts into an index: they are locked meanwhile, for some tens of milliseconds. */
const RECORDS_A_STEP = 1_000;
/** Bytes of records that one step reads; a step reads one record in any case. */
const BYTES_A_STEP = 8 * 1024 * 1024;
/** A table of fewer records has its new indexes at once: nobody writes records of the account meanwhile. */
const RECORDS_AT_ONCE = 500;
/** Entries of a deleted index that one step removes. Nobody waits for them. */
const ENTRIES_A_STEP = 5_000;

/**
 * Runs one step of index maintenance: adds the next records to the indexes that a table is building, or removes entries of a deleted one. Each
 * step is a transaction of its own; the next one continues from it, in any process.
 * @returns false when there is nothing to do, or others do it.
 */
export function stepSupplementIndexes(postgres: Postgres): Promise<boolean> {
  return postgres.transaction(async (transaction) => {
    const indexes = await takeIndexesAtWork(transaction);
    const [first] = indexes;
    if (first === undefined) return false;
    if (first.state === "gone") await removeIndexEntries(transaction, first, ENTRIES_A_STEP);
    else await fillIndexes(transaction, first, indexes);
    return true;
  });
}

/**
 * Adds indexes to a table, whose records nobody writes meanwhile (`lockSupplements`). Those of a small table are ready at once; the
 * others are built step by step.
 */
export async function createSupplementIndexes(
  transaction: Transaction,
  table: SupplementKey,
  { indexes, timezone }: { readonly indexes: readonly shapes.SupplementIndex[]; readonly timezone: string },
): Promise<void> {
  if (indexes.length === 0) return;
  const added = await addSupplementIndexes(transaction, table, { indexes, timezone });
  const bounds = { rowsMax: RECORDS_AT_ONCE, bytesMax: BYTES_A_STEP };
  const { rows, isCut } = await readRecordsAfter(transaction, table, { position: "", ...bounds });
  if (!isCut && rows.length < RECORDS_AT_ONCE) await fillIndexes(transaction, table, added);
}

/** Adds the next records to indexes at the same position. A record that is written meanwhile waits, or is read afterwards. */
async function fillIndexes(
  transaction: Transaction,
  table: SupplementKey,
  indexes: readonly IndexAtWork[],
): Promise<void> {
  const { account, supplement: id } = table;
  const position = indexes[0]?.position ?? "";
  const bounds = { rowsMax: RECORDS_A_STEP, bytesMax: BYTES_A_STEP };
  const { rows, isCut, clearedVersion } = await readRecordsAfter(transaction, table, { position, ...bounds });
  const of = { id, indexes, clearedVersion };
  const entries = rows.flatMap((row) => {
    const record = liveRecord(fromSupplementRecordRow(id, row.id, row), of);
    return [...entriesOf(account, of, record).values()];
  });
  await insertSupplementEntries(transaction, entries);
  const last = !isCut && rows.length < RECORDS_A_STEP ? undefined : rows.at(-1)?.id;
  for (const index of indexes) await moveIndex(transaction, index, last);
}
