import { timeOfVersion } from "@headwater/contracts";
import type { ListLeaf, ListReference } from "../criteria.ts";
import { rangeSql, windowRange } from "./clock.ts";
import type { LeafSet } from "./fieldLeaf.ts";
import { resolvedRows, resolvedSet } from "./merges.ts";
import type { Scope } from "./scope.ts";

/** Members of the list, joined in the window when there is one; `notIn` is the complement. */
export function listLeaf({ list, member, joined }: ListLeaf, scope: Scope): LeafSet {
  const { bind, clock } = scope;
  const where = [`account = ${scope.account}`, `list = ${bind.uint(list.id)}`];
  const cleared = lastClear(list, scope);
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

/** The last clear that counts: at a past moment a later one has not happened yet. */
function lastClear({ clears = [] }: ListReference, { historyAt, clock }: Scope): string | undefined {
  const seen = historyAt === undefined ? clears : clears.filter((clear) => timeOfVersion(clear) <= clock.reference);
  return seen.toSorted().at(-1);
}
