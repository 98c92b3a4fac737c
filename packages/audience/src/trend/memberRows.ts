import { resolvedRows } from "../compile/merges.ts";
import type { Scope } from "../compile/scope.ts";
import type { FormerList, ListReference } from "../leaves/list/list.ts";
import type { Points } from "./points.ts";
import type { RowPoints } from "./rowCodes.ts";
import { clearedAt, VERSION_POINTS, versionsSql } from "./versions.ts";

/** Rows of memberships: `owner`, `present`, `joined_at`, and the points at which they count. */
export interface MemberRows {
  readonly sql: string;
  readonly points: RowPoints;
}

/** Returns the recorded memberships of the list that a name means at each point: rows of one list for each. */
export function pastMembers(list: ListReference, scope: Scope, points: Points): MemberRows[] {
  return meantLists(list, points).map(({ id, clears, first, end }) => {
    const { from, contact } = resolvedRows("memberships_history", scope);
    const columns = [`${contact} AS owner`, "present", "joined_at", "version"];
    const where = [`account = ${scope.account}`, `list = ${scope.bind.uint(id)}${scope.within}`];
    const sql = versionsSql({ from, where, columns, key: "owner", order: "version" }, scope, points);
    const ends = [...VERSION_POINTS.end, ...clearedAt(clears, scope, points)];
    return {
      sql,
      points: {
        ...VERSION_POINTS,
        first: first === 0 ? VERSION_POINTS.first : [...VERSION_POINTS.first, `toInt32(${first})`],
        end: end === points.end ? ends : [...ends, `toInt32(${end})`],
      },
    };
  });
}

interface MeantList extends Pick<ListReference, "id" | "clears"> {
  /** The first point at which it is meant. */
  readonly first: number;
  /** One behind the last. */
  readonly end: number;
}

function meantLists({ before = [], ...list }: ListReference, { bounds, end }: Points): MeantList[] {
  const indexAt = ({ until }: FormerList) => {
    const index = bounds.findIndex((bound) => bound >= until);
    return index < 0 ? end : index;
  };
  const ends = [...before.map(indexAt), end];
  return [...before, list]
    .map(({ id, clears }, place) => {
      return { id, ...(clears && { clears }), first: ends[place - 1] ?? 0, end: ends[place] ?? end };
    })
    .filter(({ first, end: last }) => first < last);
}
