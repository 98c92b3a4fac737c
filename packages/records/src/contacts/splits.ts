import { plainArray } from "@headwater/postgres/connection/arrays";
import type { Transaction } from "@headwater/postgres/connection/session";
import type { StoredOrder } from "../orders/orders.ts";

/** A merge that ends. */
export interface EndedMerge {
  readonly account: number;
  readonly survivor: number;
  readonly merged: number;
  /** Version of the merge. */
  readonly mergeVersion: string;
  /** Version of the write that ends it. */
  readonly version: string;
  readonly byRecord: string;
}

/** A merge with the text of its document. */
export interface SurvivedMerge {
  readonly account: number;
  readonly survivor: number;
  readonly merged: number;
  readonly version: string;
  readonly byRecord: string;
  /** Null while it stands. */
  readonly undoneVersion: string | null;
  readonly before: string;
}

/** More merges of one contact are not checked: what the oldest brought becomes a new contact. */
const MERGES_MAX = 1_000;

const loadStatement = {
  name: "merges_survived",
  text: `SELECT account, survivor, merged, version, by_record AS "byRecord", undone_version AS "undoneVersion", before::text AS before
    FROM merges WHERE account = $1 AND survivor = $2 ORDER BY applied DESC NULLS LAST, version DESC, merged DESC LIMIT ${MERGES_MAX}`,
};
const endStatement = {
  name: "merges_end",
  text: `UPDATE merges SET undone_version = $4, undone_by = $5
    WHERE account = $1 AND merged = $2 AND version = $3 AND undone_version IS NULL`,
};
/** The contact and those that were merged into it, directly or not. */
const FAMILY = `WITH RECURSIVE family AS (
    SELECT $3::bigint AS number UNION
    SELECT m.merged FROM merges m JOIN family f ON m.account = $1 AND m.survivor = f.number WHERE m.undone_version IS NULL
  )`;
const aliasesStatement = {
  name: "splits_return_aliases",
  text: `${FAMILY} UPDATE contacts c SET merged_into = $3 FROM family f
    WHERE c.account = $1 AND c.number = f.number AND c.merged_into = $2 AND c.number <> $3 RETURNING c.number`,
};
const ordersStatement = {
  name: "splits_return_orders",
  text: `${FAMILY} UPDATE orders o SET contact = $3, merged_from = NULLIF(o.merged_from, $3), revision = $4 FROM family f
    WHERE o.account = $1 AND o.contact = $2 AND o.merged_from = f.number
    RETURNING o.account, o.order_id AS "orderId", o.contact, o.purchased_at AS "purchasedAt", o.version, o.doc`,
};
const membershipsStatement = {
  name: "splits_drop_memberships",
  text: "DELETE FROM memberships WHERE account = $1 AND contact = $2 AND list = ANY ($3::int[])",
};
/** The latest first, those that have ended too; to be asked for when the survivor is locked, so that none is added meanwhile. */
export function loadSurvivedMerges(
  transaction: Transaction,
  { account, survivor }: { readonly account: number; readonly survivor: number },
): Promise<SurvivedMerge[]> {
  return transaction.query(loadStatement, [account, survivor]);
}

/**
 * Gives the contact of a merge back what pointed at it: the numbers that were its aliases, and the orders that were written for it or
 * for them. Run before the contacts themselves are updated.
 */
export async function endMerge(
  transaction: Transaction,
  ended: EndedMerge,
  revision: number,
): Promise<{ readonly aliases: readonly number[]; readonly orders: readonly StoredOrder[] }> {
  const { account, survivor, merged, mergeVersion, version, byRecord } = ended;
  const [, aliases, orders] = await Promise.all([
    transaction.execute(endStatement, [account, merged, mergeVersion, version, byRecord]),
    transaction.query<{ number: number }>(aliasesStatement, [account, survivor, merged]),
    transaction.query<Omit<StoredOrder, "mergedFrom" | "deleted">>(ordersStatement, [
      account,
      survivor,
      merged,
      revision,
    ]),
  ]);
  return { aliases: aliases.map(({ number }) => number), orders };
}

/** Rows that are to be as they were before: an upsert would keep what has a later version. */
export async function deleteMemberships(
  transaction: Transaction,
  { account, contact }: { readonly account: number; readonly contact: number },
  lists: readonly number[],
): Promise<void> {
  if (lists.length === 0) return;
  await transaction.execute(membershipsStatement, [account, contact, plainArray(lists, (list) => list)]);
}
