import { shapes } from "@headwater/contracts";
import { plainArray, textArray } from "@headwater/postgres/connection/arrays";
import type { Postgres } from "@headwater/postgres/connection/postgres";
import type { Session, Transaction } from "@headwater/postgres/connection/session";

export interface NewSupplement {
  readonly account: number;
  readonly key: string;
  readonly name?: string;
  readonly indexes: readonly shapes.SupplementIndex[];
  /** Its indexes read dates alone in this zone; default UTC. */
  readonly timezone?: string;
  /** Its records carry the `cID` or `email` of a contact and belong to it. */
  readonly contactObject: boolean;
  readonly autogenerateIDs: boolean;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
}

/** The definition of a table of records. */
export interface StoredSupplement extends Omit<NewSupplement, "name" | "indexes" | "timezone"> {
  /** Counts from 1 in each account. */
  readonly id: number;
  readonly name: string | null;
  /** Indexes in the order of their creation. */
  readonly indexes: readonly shapes.StoredSupplementIndex[];
  /** Records with a lower version are gone. */
  readonly clearedVersion: string | null;
}

/** A table with the time of the last write of a record, in milliseconds since 1970 and to the second; 0 before the first. */
export interface SupplementView extends StoredSupplement {
  readonly dataUpdatedAt: number;
}

const COLUMNS = `s.account, s.id, s.key, s.name, s.contact_object AS "contactObject", s.autogenerate_ids AS "autogenerateIDs",
  s.cleared_version AS "clearedVersion", s.created_at AS "createdAt",
  (SELECT json_agg(json_build_object('field', i.field, 'type', i.type, 'slot', i.slot, 'timezone', i.timezone, 'state', i.state) ORDER BY i.slot)
    FROM supplement_indexes i WHERE i.account = s.account AND i.supplement = s.id AND i.state <> 'gone') AS indexes`;
const VIEWED = `${COLUMNS}, u.at AS "dataUpdatedAt"`;
const VIEW = "supplements s JOIN supplement_updates u ON u.account = s.account AND u.supplement = s.id";
/** A class of advisory locks of its own. */
const LOCK_CLASS = 7_238_405;
const lockStatement = { name: "supplements_number_lock", text: "SELECT pg_advisory_xact_lock($1::int, $2::int)" };
const insertStatement = {
  name: "supplements_insert",
  text: `WITH made AS (
      INSERT INTO supplements (account, id, key, name, contact_object, autogenerate_ids, created_at)
      SELECT $1, (SELECT COALESCE(max(id), 0) + 1 FROM supplements WHERE account = $1), $2, $3, $4, $5, $6
      ON CONFLICT (account, key) WHERE deleted_version IS NULL DO NOTHING RETURNING account, id
    ), indexed AS (
      INSERT INTO supplement_indexes (account, supplement, slot, field, type, timezone, state)
      SELECT account, id, place, field, type, $9, 'ready' FROM made, unnest($7::text[], $8::text[]) WITH ORDINALITY AS i (field, type, place)
    )
    INSERT INTO supplement_updates (account, supplement, at) SELECT account, id, 0 FROM made`,
};
const byKeyStatement = {
  name: "supplements_by_key",
  text: `SELECT ${COLUMNS} FROM unnest($1::int[], $2::text[]) AS k (account, key)
    JOIN supplements s ON s.account = k.account AND s.key = k.key AND s.deleted_version IS NULL`,
};
const viewStatement = {
  name: "supplement_view",
  text: `SELECT ${VIEWED} FROM ${VIEW} WHERE s.account = $1 AND s.key = $2 AND s.deleted_version IS NULL`,
};
const pageStatement = (direction: "asc" | "desc") => ({
  name: `supplements_page_${direction}`,
  text: `SELECT ${VIEWED} FROM ${VIEW} WHERE s.account = $1 AND s.deleted_version IS NULL
      AND ($2::text IS NULL OR s.key ${direction === "asc" ? ">" : "<"} $2) ORDER BY s.key ${direction} LIMIT $3 OFFSET $4`,
});
const byNameStatement = (direction: "asc" | "desc") => ({
  name: `supplements_page_by_name_${direction}`,
  text: `SELECT ${VIEWED} FROM ${VIEW} WHERE s.account = $1 AND s.deleted_version IS NULL
      AND ($2::text IS NULL OR (COALESCE(s.name, ''), s.key) ${direction === "asc" ? ">" : "<"} ($5::text, $2))
    ORDER BY COALESCE(s.name, '') ${direction}, s.key ${direction} LIMIT $3 OFFSET $4`,
});
const countStatement = {
  name: "supplements_count",
  text: "SELECT count(*) AS count FROM supplements WHERE account = $1 AND deleted_version IS NULL",
};
const renameStatement = {
  name: "supplements_rename",
  text: "UPDATE supplements SET name = $3 WHERE account = $1 AND id = $2",
};
const deleteStatement = {
  name: "supplements_delete",
  text: "UPDATE supplements SET deleted_version = $3 WHERE account = $1 AND id = $2",
};

interface Row extends Omit<SupplementView, "indexes"> {
  readonly indexes: string | null;
}

/** Creates a table in a transaction of its own. @returns undefined when the account has a table of this key. */
export function createSupplement(postgres: Postgres, table: NewSupplement): Promise<StoredSupplement | undefined> {
  return postgres.transaction((transaction) => insertSupplement(transaction, table));
}

/** @returns undefined when the account has a table of this key. */
export async function insertSupplement(
  transaction: Transaction,
  table: NewSupplement,
): Promise<StoredSupplement | undefined> {
  const { account, key, name = null, indexes, contactObject, autogenerateIDs, createdAt, timezone = "UTC" } = table;
  const fields = textArray(indexes, ({ field }) => field);
  const types = textArray(indexes, ({ type }) => type);
  const [, created] = await Promise.all([
    // The lock makes "the greatest id so far" hold until commit.
    transaction.query(lockStatement, [LOCK_CLASS, account]),
    transaction.execute(insertStatement, [
      ...[account, key, name, contactObject, autogenerateIDs, createdAt],
      ...[fields, types, timezone],
    ]),
  ]);
  if (created === 0) return undefined;
  const [stored] = await loadSupplements(transaction, [{ account, key }]);
  return stored;
}

/** Returns the tables that exist; keys are compared as they are. */
export async function loadSupplements(
  session: Session,
  keys: readonly { readonly account: number; readonly key: string }[],
): Promise<StoredSupplement[]> {
  if (keys.length === 0) return [];
  const values = [plainArray(keys, (one) => one.account), textArray(keys, (one) => one.key)];
  return (await session.query<Omit<Row, "dataUpdatedAt">>(byKeyStatement, values)).map(toSupplement);
}

export async function readSupplement(
  session: Session,
  account: number,
  key: string,
): Promise<SupplementView | undefined> {
  const [row] = await session.query<Row>(viewStatement, [account, key]);
  return row && toSupplement(row);
}

export interface SupplementsPage {
  readonly account: number;
  readonly direction: "asc" | "desc";
  /** Default: by key. */
  readonly sortBy?: "key" | "name";
  /** The last one of the page before; one without a name has an empty one. */
  readonly after?: { readonly key: string; readonly name: string } | undefined;
  readonly skip: number;
  readonly rowsMax: number;
}

/** Returns a page of tables in order of key, or of (name, key). */
export async function pageSupplements(session: Session, page: SupplementsPage): Promise<SupplementView[]> {
  const { account, direction, after, skip, rowsMax, sortBy = "key" } = page;
  const values = [account, after?.key ?? null, rowsMax, skip];
  const rows =
    sortBy === "key"
      ? await session.query<Row>(pageStatement(direction), values)
      : await session.query<Row>(byNameStatement(direction), [...values, after?.name ?? null]);
  return rows.map(toSupplement);
}

export async function countSupplements(session: Session, account: number): Promise<number> {
  const [row] = await session.query<{ count: number }>(countStatement, [account]);
  return row?.count ?? 0;
}

/** A table by its number. */
export interface SupplementKey {
  readonly account: number;
  readonly supplement: number;
}

export async function renameSupplement(
  transaction: Transaction,
  { account, supplement }: SupplementKey,
  name: string | null,
): Promise<void> {
  await transaction.execute(renameStatement, [account, supplement, name]);
}

/** The table is not found any more and its key is free; its rows stay until somebody removes them. To be cleared first. */
export async function deleteSupplement(
  transaction: Transaction,
  { account, supplement }: SupplementKey,
  version: string,
): Promise<void> {
  await transaction.execute(deleteStatement, [account, supplement, version]);
}

function toSupplement<Input extends Pick<Row, "indexes">>({ indexes, ...row }: Input) {
  return { ...row, indexes: shapes.storedSupplementIndexes.parse(JSON.parse(indexes ?? "[]")) };
}
