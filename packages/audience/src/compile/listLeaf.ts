import type { ListLeaf } from "../criteria.ts";
import { lastClear } from "./clears.ts";
import { rangeSql, windowRange } from "./clock.ts";
import type { LeafSet } from "./leafSet.ts";
import { resolvedRows, resolvedSet } from "./merges.ts";
import type { Scope } from "./scope.ts";

/** Members of the list, joined in the window when there is one; `notIn` is the complement. */
export function listLeaf({ list, member, joined }: ListLeaf, scope: Scope): LeafSet {
  const { bind, clock } = scope;
  const where = [`account = ${scope.account}`, `list = ${bind.uint(list.id)}`];
  const cleared = lastClear(list.clears, scope);
  if (cleared !== undefined) where.push(`version > ${bind.string(cleared)}`);
  const joinedIn = (column: string) => (joined ? ` AND ${rangeSql(column, windowRange(joined, clock), bind)}` : "");
  const complement = !member;
  if (scope.historyAt === undefined) {
    const current = `FROM memberships_current FINAL WHERE ${where.join(" AND ")} AND present = 1${joinedIn("joined_at")}${scope.within}`;
    return { set: resolvedSet(`SELECT groupBitmapState(contact) ${current}`, scope), complement };
  }
  const { from, contact } = resolvedRows("memberships_history", scope);
  where.push(`at <= ${scope.historyAt}`);
  const latest = `SELECT ${contact} AS owner, argMax((present, joined_at), version) AS value FROM ${from} WHERE ${where.join(" AND ")} GROUP BY owner`;
  const past = `SELECT groupBitmapState(owner) FROM (${latest}) WHERE value.1 = 1${joinedIn("value.2")}`;
  return { set: scope.addSet(past), complement };
}
