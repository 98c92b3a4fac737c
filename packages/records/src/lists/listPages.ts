import { bothWays, type Direction } from "@headwater/postgres/connection/bothWays";
import type { Session } from "@headwater/postgres/connection/session";
import { LIST_COLUMNS, type StoredList } from "./lists.ts";

const pageStatements = bothWays((direction, isBeyond) => ({
  name: `lists_page_${direction}`,
  text: `SELECT ${LIST_COLUMNS} FROM lists WHERE account = $1 AND ($2::int IS NULL OR id ${isBeyond} $2) AND deleted_at IS NULL
    ORDER BY id ${direction} LIMIT $3 OFFSET $4`,
}));
const byNameStatements = bothWays((direction, isBeyond) => ({
  name: `lists_page_by_name_${direction}`,
  text: `SELECT ${LIST_COLUMNS} FROM lists WHERE account = $1 AND ($2::text IS NULL OR name_key ${isBeyond} $2) AND deleted_at IS NULL
    ORDER BY name_key ${direction} LIMIT $3 OFFSET $4`,
}));
const countStatement = {
  name: "lists_count",
  text: "SELECT count(*) AS count FROM lists WHERE account = $1 AND deleted_at IS NULL",
};
const membersStatement = {
  name: "lists_count_members",
  text: `SELECT count(*) AS count FROM memberships m JOIN lists l ON l.account = m.account AND l.id = m.list
    WHERE m.account = $1 AND m.list = $2 AND m.present AND (l.cleared_version IS NULL OR m.version > l.cleared_version)`,
};
const membersOfStatement = {
  name: "lists_count_members_of",
  text: `SELECT m.list, count(*) AS count FROM memberships m JOIN lists l ON l.account = m.account AND l.id = m.list
    WHERE m.account = $1 AND m.list = ANY ($2::int[]) AND m.present AND (l.cleared_version IS NULL OR m.version > l.cleared_version)
    GROUP BY m.list`,
};
export interface ListsPage {
  readonly account: number;
  /** Default `asc`. */
  readonly direction?: Direction;
  /** Default: by id. By name without case: no two lists have one. */
  readonly sortBy?: "id" | "name";
  /** Id, or name without case, of the last one of the page before. */
  readonly after?: number | string;
  readonly skip?: number;
  readonly rowsMax: number;
}

/** Returns a page of lists in order of id, or of name. */
export function pageLists(session: Session, page: ListsPage): Promise<StoredList[]> {
  const { account, sortBy = "id", direction = "asc", after = null, rowsMax, skip = 0 } = page;
  const statements = sortBy === "id" ? pageStatements : byNameStatements;
  return session.query(statements[direction], [account, after, rowsMax, skip]);
}

export function countLists(session: Session, account: number): Promise<number> {
  return one(session, countStatement, [account]);
}

/** Contacts that are on the list now. */
export function countMembers(session: Session, account: number, list: number): Promise<number> {
  return one(session, membersStatement, [account, list]);
}

/** Contacts that are on each of the lists now. */
export async function countMembersOf(
  session: Session,
  account: number,
  lists: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  const rows = await session.query<{ list: number; count: number }>(membersOfStatement, [
    account,
    `{${lists.join(",")}}`,
  ]);
  const counts = new Map(rows.map(({ list, count }) => [list, count]));
  return new Map(lists.map((list) => [list, counts.get(list) ?? 0]));
}

async function one(session: Session, statement: typeof countStatement, values: readonly number[]): Promise<number> {
  const [row] = await session.query<{ count: number }>(statement, values);
  return row?.count ?? 0;
}
