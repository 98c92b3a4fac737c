import { lastClear } from "../compile/clears.ts";
import { resolvedRows } from "../compile/merges.ts";
import type { Scope } from "../compile/scope.ts";
import type { LeafSet } from "../compile/selection.ts";
import type { ListLeaf } from "../leaves/list/list.ts";
import { type MemberRows, pastMembers } from "./memberRows.ts";
import type { Points } from "./points.ts";
import { ALWAYS, rowCodes, together, windowTest } from "./rowCodes.ts";

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
