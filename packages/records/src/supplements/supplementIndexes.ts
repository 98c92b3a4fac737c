import type { shapes } from "@headwater/contracts";
import { textArray } from "@headwater/postgres/connection/arrays";
import { type BoundedRows, boundPage, rowsWithinBound } from "@headwater/postgres/connection/documentBound";
import { readInKeyOrder } from "@headwater/postgres/connection/keyOrder";
import type { Transaction } from "@headwater/postgres/connection/session";
import type { StoredSupplementRecord } from "./supplementRecords.ts";
import type { SupplementKey } from "./supplements.ts";

/** An index with work to do. */
export interface IndexAtWork extends SupplementKey, shapes.SupplementIndex {
  readonly slot: number;
  readonly timezone: string;
  /** `gone`: its entries are to be removed. */
  readonly state: "building" | "gone";
  /** Records up to this id have their entries. */
  readonly position: string;
}

const addStatement = {
  name: "supplement_indexes_add",
  text: `INSERT INTO supplement_indexes (account, supplement, slot, field, type, timezone, state)
    SELECT $1, $2, (SELECT COALESCE(max(slot), 0) FROM supplement_indexes WHERE account = $1 AND supplement = $2) + place, field, type, $5, 'building'
    FROM unnest($3::text[], $4::text[]) WITH ORDINALITY AS i (field, type, place)
    RETURNING account, supplement, slot, field, type, timezone, state, position`,
};
const dropStatement = {
  name: "supplement_indexes_drop",
  text: `UPDATE supplement_indexes SET state = 'gone'
    WHERE account = $1 AND supplement = $2 AND state <> 'gone' AND ($3::text[] IS NULL OR field = ANY ($3::text[]))`,
};
/** Locks the next index that no other worker holds, so that one of them works on each. */
const takeStatement = {
  name: "supplement_indexes_take",
  text: `SELECT account, supplement, slot, field, type, timezone, state, position FROM supplement_indexes
    WHERE state <> 'ready' ORDER BY account, supplement, slot LIMIT 1 FOR UPDATE SKIP LOCKED`,
};
/** Their records are read once for all of them. */
const besideStatement = {
  name: "supplement_indexes_beside",
  text: `SELECT account, supplement, slot, field, type, timezone, state, position FROM supplement_indexes
    WHERE account = $1 AND supplement = $2 AND slot > $3 AND state = 'building' AND position = $4 ORDER BY slot FOR UPDATE SKIP LOCKED`,
};
const moveStatement = {
  name: "supplement_indexes_move",
  text: `UPDATE supplement_indexes SET state = CASE WHEN $4::text IS NULL THEN 'ready' ELSE state END, position = COALESCE($4, '')
    WHERE account = $1 AND supplement = $2 AND slot = $3`,
};
const removeEntriesStatement = {
  name: "supplement_index_entries_remove",
  text: `DELETE FROM supplement_index_entries e WHERE e.ctid = ANY (ARRAY(
      SELECT ctid FROM supplement_index_entries WHERE account = $1 AND supplement = $2 AND slot = $3 LIMIT $4))`,
};
const forgetStatement = {
  name: "supplement_indexes_forget",
  text: "DELETE FROM supplement_indexes WHERE account = $1 AND supplement = $2 AND slot = $3",
};

/**
 * Indexes that writers feed from now on; records that are there are put into them step by step. While nobody writes records of the
 * account (`lockSupplements`): else a writer that does not know of them might come after the step that would have seen its record.
 */
export async function addSupplementIndexes(
  transaction: Transaction,
  { account, supplement }: SupplementKey,
  { indexes, timezone }: { readonly indexes: readonly shapes.SupplementIndex[]; readonly timezone: string },
): Promise<IndexAtWork[]> {
  const fields = textArray(indexes, ({ field }) => field);
  const types = textArray(indexes, ({ type }) => type);
  return transaction.query(addStatement, [account, supplement, fields, types, timezone]);
}

/** Drops indexes under the same lock. @param fields absent: all. */
export async function dropSupplementIndexes(
  transaction: Transaction,
  { account, supplement }: SupplementKey,
  fields?: readonly string[],
): Promise<void> {
  const named = fields === undefined ? null : textArray(fields, (field) => field);
  await transaction.execute(dropStatement, [account, supplement, named]);
}

/**
 * One that has work to do and that nobody else works on, with those of its table that are being built and are equally far; locked
 * until the end. None when there is nothing to do.
 */
export async function takeIndexesAtWork(transaction: Transaction): Promise<IndexAtWork[]> {
  const [first] = await transaction.query<IndexAtWork>(takeStatement);
  if (first === undefined) return [];
  if (first.state === "gone") return [first];
  const { account, supplement, slot, position } = first;
  return [first, ...(await transaction.query<IndexAtWork>(besideStatement, [account, supplement, slot, position]))];
}

type Slot = Pick<IndexAtWork, "account" | "supplement" | "slot">;

/** @param position undefined: every record is in it, and it is ready. */
export async function moveIndex(
  transaction: Transaction,
  { account, supplement, slot }: Slot,
  position: string | undefined,
): Promise<void> {
  await transaction.execute(moveStatement, [account, supplement, slot, position ?? null]);
}

/** Removes entries of a dropped index. @returns how many were removed; fewer than `rowsMax` were the last, and its row goes with them. */
export async function removeIndexEntries(
  transaction: Transaction,
  { account, supplement, slot }: Slot,
  rowsMax: number,
): Promise<number> {
  const removed = await transaction.execute(removeEntriesStatement, [account, supplement, slot, rowsMax]);
  if (removed < rowsMax) await transaction.execute(forgetStatement, [account, supplement, slot]);
  return removed;
}

const clearedStatement = {
  name: "supplements_cleared",
  text: `SELECT cleared_version AS "clearedVersion" FROM supplements WHERE account = $1 AND id = $2`,
};
const afterStatement = {
  name: "supplement_records_after",
  text: boundPage(
    `SELECT account, supplement, id, contact, created_at AS "createdAt", modified_at AS "modifiedAt", version,
      deleted_version AS "deletedVersion", doc FROM supplement_records
    WHERE account = $1 AND supplement = $2 AND id > $3 ORDER BY account, supplement, id LIMIT $4 FOR SHARE`,
    `account, supplement, id, contact, "createdAt", "modifiedAt", version, "deletedVersion"`,
    "$5",
  ),
};

/** Records after a position, of which nobody writes one before the end; and when the table was cleared. */
export async function readRecordsAfter(
  transaction: Transaction,
  { account, supplement }: SupplementKey,
  { position, rowsMax, bytesMax }: { readonly position: string; readonly rowsMax: number; readonly bytesMax: number },
): Promise<BoundedRows<StoredSupplementRecord> & { readonly clearedVersion: string | undefined }> {
  const [, rows, [table]] = await Promise.all([
    readInKeyOrder(transaction),
    transaction.query<Omit<StoredSupplementRecord, "doc"> & { readonly doc: string | null }>(afterStatement, [
      ...[account, supplement, position],
      ...[rowsMax, bytesMax],
    ]),
    transaction.query<{ clearedVersion: string | null }>(clearedStatement, [account, supplement]),
  ]);
  return {
    ...rowsWithinBound<StoredSupplementRecord>(rows),
    clearedVersion: table?.clearedVersion ?? undefined,
  };
}
