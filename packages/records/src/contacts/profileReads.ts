import type { Session } from "@headwater/postgres/connection/session";
import type { StoredContact } from "./contacts.ts";

/** A contact and the numbers of all that were merged into it: rows of ClickHouse keep those they were written with. */
export interface Person {
  readonly account: number;
  readonly contact: number;
  readonly numbers: readonly number[];
}

const numbersStatement = {
  name: "profile_numbers",
  text: "SELECT number FROM contacts WHERE account = $1 AND merged_into = $2 ORDER BY number",
};
const listsStatement = {
  name: "profile_lists",
  text: `SELECT l.id, l.name, m.present, m.joined_at AS "joinedAt" FROM memberships m JOIN lists l ON l.account = m.account AND l.id = m.list
    WHERE m.account = $1 AND m.contact = $2 AND (l.cleared_version IS NULL OR m.version > l.cleared_version) ORDER BY l.id`,
};
const ordersStatement = {
  name: "profile_orders",
  text: `SELECT order_id AS "orderId", contact, version, doc FROM orders WHERE account = $1 AND contact = $2 AND order_id > $3
    ORDER BY order_id LIMIT $4`,
};
const recordsStatement = {
  name: "profile_records",
  text: `SELECT s.key AS supplement, r.supplement AS "supplementId", r.id, r.contact, r.created_at AS "createdAt",
      r.modified_at AS "modifiedAt", r.version, r.deleted_version AS "deletedVersion", r.doc
    FROM supplement_records r JOIN supplements s ON s.account = r.account AND s.id = r.supplement
    WHERE r.account = $1 AND r.contact = ANY ($2::bigint[]) AND (s.cleared_version IS NULL OR r.version > s.cleared_version)
      AND (r.deleted_version IS NULL OR r.version > r.deleted_version) AND (r.supplement, r.id) > ($3, $4) ORDER BY r.supplement, r.id LIMIT $5`,
};
const cartStatement = {
  name: "profile_cart",
  text: "SELECT version, doc FROM carts WHERE account = $1 AND contact = $2",
};
const mergesStatement = {
  name: "profile_merges",
  text: `SELECT c.cid, m.at, m.undone_version IS NULL AS "stands" FROM merges m
    JOIN contacts c ON c.account = m.account AND c.number = m.merged
    WHERE m.account = $1 AND m.survivor = ANY ($2::bigint[]) ORDER BY m.at, m.merged`,
};

export async function personOf(session: Session, { account, number }: StoredContact): Promise<Person> {
  const merged = await session.query<{ number: number }>(numbersStatement, [account, number]);
  return { account, contact: number, numbers: [number, ...merged.map((row) => row.number)] };
}

export function listsOfPerson(session: Session, { account, contact }: Person) {
  return session.query<{ id: number; name: string; present: boolean; joinedAt: number }>(listsStatement, [
    account,
    contact,
  ]);
}

export interface OrderOfPerson {
  readonly orderId: string;
  readonly contact: number;
  readonly version: string;
  readonly doc: string;
}

export function ordersOfPerson(session: Session, { account, contact }: Person, after: string, rowsMax: number) {
  return session.query<{ -readonly [Name in keyof OrderOfPerson]: OrderOfPerson[Name] }>(ordersStatement, [
    account,
    contact,
    after,
    rowsMax,
  ]);
}

export interface RecordOfPerson {
  readonly supplement: string;
  readonly supplementId: number;
  readonly id: string;
  readonly contact: number | null;
  readonly createdAt: number;
  readonly modifiedAt: number;
  readonly version: string;
  readonly deletedVersion: string | null;
  readonly doc: string;
}

/** @param after place of the last one of the page before. */
export function recordsOfPerson(
  session: Session,
  { account, numbers }: Person,
  after: { readonly supplementId: number; readonly id: string },
  rowsMax: number,
): Promise<RecordOfPerson[]> {
  const values = [account, `{${numbers.join(",")}}`, after.supplementId, after.id, rowsMax];
  return session.query(recordsStatement, values);
}

export async function cartOfPerson(session: Session, { account, contact }: Person) {
  const [row] = await session.query<{ version: string; doc: string }>(cartStatement, [account, contact]);
  return row;
}

export function mergesOfPerson(session: Session, { account, numbers }: Person) {
  return session.query<{ cid: string; at: number; stands: boolean }>(mergesStatement, [
    account,
    `{${numbers.join(",")}}`,
  ]);
}
