import { lastClear } from "../../compile/latestVersion.ts";
import { resolvedRows } from "../../compile/merges.ts";
import type { Scope } from "../../compile/scope.ts";
import type { LeafSet } from "../../compile/selection.ts";
import type { Points } from "../../trend/points.ts";
import { ALWAYS, type RowPoints, rowCodes, together, windowTest } from "../../trend/rowCodes.ts";
import { clearedAt, VERSION_POINTS, versionsSql } from "../../trend/versions.ts";
import type { FormerList, ListLeaf, ListReference } from "./list.ts";

/** Members of the list, joined in the window when there is one. */
export function listTrend(leaf: ListLeaf, scope: Scope, points: Points): LeafSet {
  const rows = points.isRecorded ? pastMembers(leaf.list, scope, points) : [members(leaf, scope)];
  const joined = windowTest("joined_at", leaf.joined, scope, points);
  const queries = rows.map(({ sql, points: own }) => {
    const tests = together({ where: ["present = 1"], points: own }, joined);
    const codes = rowCodes(tests.points, points);
    return `SELECT owner, ${codes} AS codes FROM (${sql}) WHERE ${tests.where.join(" AND ")}`;
  });
  return { set: points.addRows(queries.join(" UNION ALL ")), complement: !leaf.member };
}

function members({ list }: ListLeaf, scope: Scope): MemberRows {
  const { account, bind, within } = scope;
  const cleared = lastClear(list.clears, scope);
  const since = cleared === undefined ? "" : ` AND version > ${bind.string(cleared)}`;
  const where = `account = ${account} AND list = ${bind.uint(list.id)}${since}${within}`;
  const { from, contact } = resolvedRows(`(SELECT * FROM memberships_current FINAL WHERE ${where})`, scope);
  return { sql: `SELECT ${contact} AS owner, present, joined_at FROM ${from}`, points: ALWAYS.points };
}

/** Rows of memberships: `owner`, `present`, `joined_at`, and the points at which they count. */
interface MemberRows {
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
    .map(({ id, clears }, position) => {
      return { id, ...(clears && { clears }), first: ends[position - 1] ?? 0, end: ends[position] ?? end };
    })
    .filter(({ first, end: last }) => first < last);
}
