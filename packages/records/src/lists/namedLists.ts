import { plainArray, textArray } from "@headwater/postgres/connection/arrays";
import type { Session } from "@headwater/postgres/connection/session";
import { LIST_COLUMNS, listNameKey, type StoredList } from "./lists.ts";

/** Deleted lists of one name that are checked; names are seldom used again and again. */
const FORMER_MAX = 1_000;

const namedStatement = {
  name: "lists_named",
  text: `SELECT ${LIST_COLUMNS}, NULL::bigint AS "deletedAt" FROM lists
    WHERE account = $1 AND deleted_at IS NULL AND (name_key = ANY ($2::text[]) OR id = ANY ($3::int[])) ORDER BY id`,
};
/** Finds lists that existed at an instant in the past, or at any between two, and are gone since the first. */
const formerStatement = {
  name: "lists_named_before",
  text: `SELECT ${LIST_COLUMNS}, deleted_at AS "deletedAt" FROM lists
    WHERE account = $1 AND deleted_at > $4 AND created_at <= $5
      AND (former_key = ANY ($2::text[]) OR id = ANY ($3::int[]))
    ORDER BY deleted_at, id LIMIT ${FORMER_MAX}`,
};

/** All of those. */
const goneStatement = {
  name: "lists_gone_since",
  text: `SELECT ${LIST_COLUMNS}, deleted_at AS "deletedAt" FROM lists
    WHERE account = $1 AND deleted_at > $2 AND created_at <= $2 ORDER BY deleted_at, id LIMIT $3`,
};

/** Lists of an account that somebody names. */
export interface ListsNamed {
  readonly account: number;
  readonly names: readonly string[];
  readonly ids: readonly number[];
  /** Milliseconds since 1970: lists that were deleted after that instant are found, too. */
  readonly asOf?: number | undefined;
  /** Milliseconds since 1970: the first of several instants up to `asOf`; lists that existed at one of them are found. */
  readonly since?: number | undefined;
}

export interface NamedList extends StoredList {
  /** Milliseconds since 1970; null for a list that is there now. */
  readonly deletedAt: number | null;
}

/** Finds lists by name and by id, the present ones before the deleted ones. Case does not count. */
export async function findNamedLists(session: Session, named: ListsNamed): Promise<NamedList[]> {
  const { account, names, ids, asOf, since = asOf } = named;
  if (names.length === 0 && ids.length === 0) return [];
  const values = [account, textArray(names, listNameKey), plainArray(ids, (id) => id)];
  const [present, former] = await Promise.all([
    session.query<NamedList>(namedStatement, values),
    asOf === undefined || since === undefined
      ? []
      : session.query<NamedList>(formerStatement, [...values, since, asOf]),
  ]);
  return [...present, ...former];
}

const goneNamesStatement = {
  name: "lists_gone_names",
  text: "SELECT id, name FROM lists WHERE account = $1 AND id = ANY ($2::int[]) AND deleted_at IS NOT NULL",
};

/** Reads the last names of lists that were deleted, by id. */
export async function readGoneNames(
  session: Session,
  { account, ids }: { readonly account: number; readonly ids: readonly number[] },
): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map();
  const values = [account, plainArray(ids, (id) => id)];
  const rows = await session.query<Pick<NamedList, "id" | "name">>(goneNamesStatement, values);
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** Lists of the account that existed at an instant and were deleted since, the first deleted first. @param asOf milliseconds since 1970. */
export function readListsGoneSince(
  session: Session,
  { account, asOf, rowsMax }: { readonly account: number; readonly asOf: number; readonly rowsMax: number },
): Promise<NamedList[]> {
  return session.query(goneStatement, [account, asOf, rowsMax]);
}
