import { lastClear } from "../compile/clears.ts";
import { resolvedRows } from "../compile/merges.ts";
import type { Scope } from "../compile/scope.ts";
import type { ListLeaf } from "../criteria.ts";
import type { Points } from "./points.ts";
import { ALWAYS, type RowPoints, rowCodes, together, windowTest } from "./rowCodes.ts";
import { clearedAt, VERSION_POINTS, versionsSql } from "./versions.ts";

/** Members of the list, joined in the window when there is one. */
export function listTrend(leaf: ListLeaf, scope: Scope, points: Points): string {
  const rows = points.isRecorded ? pastMembers(leaf, scope, points) : members(leaf, scope);
  const tests = together(
    { where: ["present = 1"], points: rows.points },
    windowTest("joined_at", leaf.joined, scope, points),
  );
  const codes = rowCodes(tests.points, points);
  return points.addRows(`SELECT owner, ${codes} AS codes FROM (${rows.sql}) WHERE ${tests.where.join(" AND ")}`);
}

interface Members {
  readonly sql: string;
  readonly points: RowPoints;
}

function members({ list }: ListLeaf, scope: Scope): Members {
  const { account, bind, within } = scope;
  const cleared = lastClear(list.clears, scope);
  const since = cleared === undefined ? "" : ` AND version > ${bind.string(cleared)}`;
  const where = `account = ${account} AND list = ${bind.uint(list.id)}${since}${within}`;
  const { from, contact } = resolvedRows(`(SELECT * FROM memberships_current FINAL WHERE ${where})`, scope);
  return { sql: `SELECT ${contact} AS owner, present, joined_at FROM ${from}`, points: ALWAYS.points };
}

function pastMembers({ list }: ListLeaf, scope: Scope, points: Points): Members {
  const { from, contact } = resolvedRows("memberships_history", scope);
  const columns = [`${contact} AS owner`, "present", "joined_at", "version"];
  const where = [`account = ${scope.account}`, `list = ${scope.bind.uint(list.id)}${scope.within}`];
  const sql = versionsSql({ from, where, columns, key: "owner", order: "version" }, scope, points);
  return { sql, points: { ...VERSION_POINTS, end: [...VERSION_POINTS.end, ...clearedAt(list.clears, scope, points)] } };
}
