import { shapes } from "@headwater/contracts";
import { plainArray, textArray } from "./arrays.ts";
import type { Postgres } from "./postgres.ts";
import type { Session } from "./session.ts";

export interface NewSupplement {
  readonly account: number;
  readonly key: string;
  readonly name?: string;
  readonly indexes: readonly shapes.SupplementIndex[];
  /** Its records carry the `cID` or `email` of a contact and belong to it. */
  readonly contactObject: boolean;
  readonly autogenerateIDs: boolean;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
}

/** The definition of a table of records. */
export interface StoredSupplement extends Omit<NewSupplement, "name"> {
  /** Counts from 1 in each account. */
  readonly id: number;
  readonly name: string | null;
  /** Records with a lower version are gone. */
  readonly clearedVersion: string | null;
}

const COLUMNS = `account, id, key, name, indexes, contact_object AS "contactObject", autogenerate_ids AS "autogenerateIDs",
  cleared_version AS "clearedVersion", created_at AS "createdAt"`;
const insertStatement = {
  name: "supplements_insert",
  text: `INSERT INTO supplements (account, id, key, name, indexes, contact_object, autogenerate_ids, created_at)
    SELECT $1, (SELECT COALESCE(max(id), 0) + 1 FROM supplements WHERE account = $1), $2, $3, $4::json, $5, $6, $7
    ON CONFLICT (account, key) DO NOTHING RETURNING ${COLUMNS}`,
};
const byKeyStatement = {
  name: "supplements_by_key",
  text: `SELECT ${COLUMNS} FROM unnest($1::int[], $2::text[]) AS k (account, key) JOIN supplements USING (account, key)`,
};
/** A class of advisory locks of its own. */
const LOCK_CLASS = 7_238_403;
const lockStatement = { name: "supplements_lock", text: "SELECT pg_advisory_xact_lock($1::int, $2::int)" };

type Row = Omit<StoredSupplement, "indexes"> & { readonly indexes: string };

/** @returns undefined when the account has a table of this key. */
export async function createSupplement(
  postgres: Postgres,
  table: NewSupplement,
): Promise<StoredSupplement | undefined> {
  const { account, key, name = null, indexes, contactObject, autogenerateIDs, createdAt } = table;
  const [, [row]] = await postgres.transaction((transaction) =>
    Promise.all([
      // The lock makes "the greatest id so far" hold until commit.
      transaction.query(lockStatement, [LOCK_CLASS, account]),
      transaction.query<Row>(insertStatement, [
        account,
        key,
        name,
        JSON.stringify(indexes),
        contactObject,
        autogenerateIDs,
        createdAt,
      ]),
    ]),
  );
  return row && toSupplement(row);
}

/** Those that exist; keys are compared as they are. */
export async function loadSupplements(
  session: Session,
  keys: readonly { readonly account: number; readonly key: string }[],
): Promise<StoredSupplement[]> {
  if (keys.length === 0) return [];
  const values = [plainArray(keys, (one) => one.account), textArray(keys, (one) => one.key)];
  return (await session.query<Row>(byKeyStatement, values)).map(toSupplement);
}

function toSupplement({ indexes, ...row }: Row): StoredSupplement {
  return { ...row, indexes: shapes.supplementIndexes.parse(JSON.parse(indexes)) };
}
