import { jsonTexts, plainArray, textArray } from "@headwater/postgres/connection/arrays";
import type { Transaction } from "@headwater/postgres/connection/session";

/** Everything needed to show a merge and to undo it. */
export interface MergeRow {
  readonly account: number;
  readonly survivor: number;
  readonly merged: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly version: string;
  readonly byRecord: string;
  /** JSON text of both states before. */
  readonly before: string;
}

const insertStatement = {
  name: "merges_insert",
  text: `INSERT INTO merges (account, survivor, merged, at, version, by_record, before)
    SELECT account, survivor, merged, at, version, by_record, before::json
    FROM unnest($1::int[], $2::bigint[], $3::bigint[], $4::bigint[], $5::uuid[], $6::text[], string_to_array($7, E'\\x1f'))
      WITH ORDINALITY AS r (account, survivor, merged, at, version, by_record, before, place) ORDER BY place`,
};

/**
 * A contact that was split off and is merged again has a row for each merge.
 * @param rows in the order in which they were made.
 */
export async function insertMerges(transaction: Transaction, rows: readonly MergeRow[]): Promise<number> {
  if (rows.length === 0) return 0;
  return transaction.execute(insertStatement, [
    plainArray(rows, (row) => row.account),
    plainArray(rows, (row) => row.survivor),
    plainArray(rows, (row) => row.merged),
    plainArray(rows, (row) => row.at),
    plainArray(rows, (row) => row.version),
    textArray(rows, (row) => row.byRecord),
    jsonTexts(rows, (row) => row.before),
  ]);
}

export interface MergedContact {
  readonly account: number;
  readonly merged: number;
  /** The live contact that answers for it, at the end of all merges of the batch. */
  readonly survivor: number;
}

const ROWS = "unnest($1::int[], $2::bigint[], $3::bigint[]) AS r (account, merged, survivor)";
const aliasesStatement = {
  name: "merges_move_aliases",
  text: `UPDATE contacts c SET merged_into = r.survivor FROM ${ROWS}
    WHERE c.account = r.account AND c.merged_into = r.merged AND c.number <> r.survivor RETURNING c.number, r.merged`,
};
const contactsStatement = {
  name: "merges_mark_merged",
  text: `UPDATE contacts c SET merged_into = r.survivor FROM ${ROWS}
    WHERE c.account = r.account AND c.number = r.merged AND c.merged_into IS DISTINCT FROM r.survivor`,
};
const ordersStatement = {
  name: "merges_move_orders",
  text: `UPDATE orders o SET contact = r.survivor, merged_from = COALESCE(o.merged_from, o.contact) FROM ${ROWS} WHERE o.account = r.account AND o.contact = r.merged`,
};
const membershipsStatement = {
  name: "merges_drop_memberships",
  text: `DELETE FROM memberships m USING ${ROWS} WHERE m.account = r.account AND m.contact = r.merged`,
};

const cartsStatement = {
  name: "merges_drop_carts",
  text: `DELETE FROM carts c USING ${ROWS} WHERE c.account = r.account AND c.contact = r.merged`,
};

/**
 * Gives survivors what pointed at the contacts merged into them: their aliases (so `merged_into` always names a live contact and no
 * read follows a chain) and their orders; drops their memberships and carts, which the survivor has by its own rows.
 * Run after the contacts themselves were updated.
 * @returns numbers that were aliases of a contact before it was merged itself.
 */
export async function moveToSurvivors(
  transaction: Transaction,
  merges: readonly MergedContact[],
): Promise<{ readonly number: number; readonly merged: number }[]> {
  if (merges.length === 0) return [];
  const rows = [
    plainArray(merges, (row) => row.account),
    plainArray(merges, (row) => row.merged),
    plainArray(merges, (row) => row.survivor),
  ];
  const [aliases] = await Promise.all([
    transaction.query<{ number: number; merged: number }>(aliasesStatement, rows),
    transaction.execute(contactsStatement, rows),
    transaction.execute(ordersStatement, rows),
    transaction.execute(membershipsStatement, rows),
    transaction.execute(cartsStatement, rows),
  ]);
  return aliases;
}
