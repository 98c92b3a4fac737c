import { plainArray } from "@headwater/postgres/connection/arrays";
import { keyGroups } from "@headwater/postgres/connection/keyGroups";
import type { Session, Transaction } from "@headwater/postgres/connection/session";

export interface MembershipKey {
  readonly account: number;
  readonly list: number;
  readonly contact: number;
}

/** A contact on a list, or its versioned tombstone (`present` false). */
export interface StoredMembership extends MembershipKey {
  readonly present: boolean;
  /** Milliseconds since 1970. */
  readonly joinedAt: number;
  readonly version: string;
}

const COLUMNS = `account, list, contact, present, joined_at AS "joinedAt", version`;
const ofListStatement = {
  name: "memberships_of_list",
  text: `SELECT ${COLUMNS} FROM memberships WHERE account = $1 AND list = $2 AND contact = ANY ($3::bigint[])`,
};
const ofAllStatement = {
  name: "memberships_of_all",
  text: `SELECT ${COLUMNS} FROM unnest($1::int[], $2::int[], $3::bigint[]) AS k (account, list, contact)
    JOIN memberships USING (account, list, contact)`,
};
const ofContactsStatement = {
  name: "memberships_of_contacts",
  text: `SELECT ${COLUMNS} FROM unnest($1::int[], $2::bigint[]) AS k (account, contact) JOIN memberships USING (account, contact)`,
};

export async function loadMemberships(session: Session, keys: readonly MembershipKey[]): Promise<StoredMembership[]> {
  const groups = keyGroups(keys, (a, b) => a.account - b.account || a.list - b.list);
  if (groups === undefined) return session.query(ofAllStatement, keyArrays(keys));
  const answers = groups.map((group) => {
    const contacts = plainArray(group, (key) => key.contact);
    return session.query<StoredMembership>(ofListStatement, [group[0]?.account ?? 0, group[0]?.list ?? 0, contacts]);
  });
  return (await Promise.all(answers)).flat();
}

/** All of the given contacts, tombstones included. */
export async function loadMembershipsOfContacts(
  session: Session,
  keys: readonly { readonly account: number; readonly contact: number }[],
): Promise<StoredMembership[]> {
  if (keys.length === 0) return [];
  return session.query(ofContactsStatement, [
    plainArray(keys, (key) => key.account),
    plainArray(keys, (key) => key.contact),
  ]);
}

const countStatement = {
  name: "memberships_count_of_contacts",
  text: `SELECT k.contact, count(l.id)::int AS count FROM unnest($1::int[], $2::bigint[]) AS k (account, contact)
    LEFT JOIN memberships m ON m.account = k.account AND m.contact = k.contact AND m.present
    LEFT JOIN lists l ON l.account = m.account AND l.id = m.list AND l.deleted_at IS NULL
      AND (l.cleared_version IS NULL OR m.version > l.cleared_version)
    GROUP BY k.contact`,
};

/** Returns how many lists each contact is on: deleted lists and memberships that a clear took do not count. */
export async function countListsOfContacts(
  session: Session,
  keys: readonly { readonly account: number; readonly contact: number }[],
): Promise<ReadonlyMap<number, number>> {
  if (keys.length === 0) return new Map();
  const rows = await session.query<{ contact: number; count: number }>(countStatement, [
    plainArray(keys, (key) => key.account),
    plainArray(keys, (key) => key.contact),
  ]);
  return new Map(rows.map(({ contact, count }) => [contact, count]));
}

const upsertStatement = {
  name: "memberships_upsert",
  text: `INSERT INTO memberships AS m (account, list, contact, present, joined_at, version)
    SELECT account, list, contact, present, joined_at, version
    FROM unnest($1::int[], $2::int[], $3::bigint[], $4::bool[], $5::bigint[], $6::uuid[]) AS r (account, list, contact, present, joined_at, version)
    ORDER BY account, list, contact
    ON CONFLICT (account, list, contact) DO UPDATE SET present = EXCLUDED.present, joined_at = EXCLUDED.joined_at, version = EXCLUDED.version
      WHERE m.version <= EXCLUDED.version`,
};

/** Each key once. A row with a later version stays: so partitions that race end the same. @returns how many were written. */
export async function upsertMemberships(transaction: Transaction, rows: readonly StoredMembership[]): Promise<number> {
  if (rows.length === 0) return 0;
  return transaction.execute(upsertStatement, [
    ...keyArrays(rows),
    plainArray(rows, (row) => row.present),
    plainArray(rows, (row) => row.joinedAt),
    plainArray(rows, (row) => row.version),
  ]);
}

function keyArrays(keys: readonly MembershipKey[]): string[] {
  return [
    plainArray(keys, (key) => key.account),
    plainArray(keys, (key) => key.list),
    plainArray(keys, (key) => key.contact),
  ];
}
