import { rangeSql, windowRange } from "../../compile/clock.ts";
import { lastClear } from "../../compile/latestVersion.ts";
import { resolvedSet } from "../../compile/merges.ts";
import { pastSet } from "../../compile/pastSet.ts";
import type { Scope } from "../../compile/scope.ts";
import type { LeafSet } from "../../compile/selection.ts";
import type { ListLeaf } from "./list.ts";

/** Members of the list, joined in the window when there is one; `notIn` is the complement. */
export function selectMembers({ list, member, joined }: ListLeaf, scope: Scope): LeafSet {
  const { bind, clock } = scope;
  const where = [`account = ${scope.account}`, `list = ${bind.uint(list.id)}`];
  const cleared = lastClear(list.clears, scope);
  if (cleared !== undefined) where.push(`version > ${bind.string(cleared)}`);
  const joinedIn = joined ? ` AND ${rangeSql("joined_at", windowRange(joined, clock), bind)}` : "";
  const complement = !member;
  if (scope.historyAt === undefined) {
    const current = `FROM memberships_current FINAL WHERE ${where.join(" AND ")} AND present = 1${joinedIn}${scope.within}`;
    return { set: resolvedSet(`SELECT groupBitmapState(contact) ${current}`, scope), complement };
  }
  where.push(`at <= ${scope.historyAt}`);
  const condition = `present = 1${joinedIn}`;
  return {
    set: pastSet({ table: "memberships_history", where: where.join(" AND "), condition }, scope),
    complement,
  };
}
