import type { Comparison, EventLeaf } from "../criteria.ts";
import { rangeSql, windowRange } from "./clock.ts";
import { passes } from "./comparator.ts";
import { conditionSql } from "./conditionSql.ts";
import { havingSql, planCount } from "./counting.ts";
import type { LeafSet } from "./fieldLeaf.ts";
import { resolvedRows, resolvedSet } from "./merges.ts";
import type { Scope } from "./scope.ts";
import { jsonValue } from "./values.ts";

/** Contacts whose activities of the actions pass: any of them, as many as counted, or the latest alone. */
export function eventLeaf(leaf: EventLeaf, scope: Scope): LeafSet {
  const rows = rowsOf(leaf, scope);
  const matches = matchesOf(leaf, scope);
  if (leaf.last) return lastEvent(leaf, rows, matches, scope);
  const where = [...rows, ...matches].join(" AND ");
  const plan = planCount(leaf.count);
  if (plan.having === "any") {
    const set = resolvedSet(`SELECT groupBitmapState(contact) FROM activities WHERE ${where}`, scope);
    return { set, complement: plan.complement };
  }
  const { from, contact } = resolvedRows("activities", scope);
  const having = havingSql(distinctEvents(leaf.count), plan.having, scope.bind.uint(leaf.count.value));
  const counted = `SELECT ${contact} AS owner FROM ${from} WHERE ${where} GROUP BY owner HAVING ${having}`;
  return { set: scope.addSet(`SELECT groupBitmapState(owner) FROM (${counted})`), complement: plan.complement };
}

/** Which activities the leaf is about, whatever they hold. */
function rowsOf({ actions, messageId }: EventLeaf, { bind, account, clock, historyAt }: Scope): string[] {
  const [first] = actions;
  const isOne = actions.length === 1 && first !== undefined;
  const rows = [
    `account = ${account}`,
    isOne ? `action = ${bind.string(first)}` : `action IN ${bind.strings(actions)}`,
  ];
  if (messageId !== undefined) rows.push(`splitByChar(':', mc_id)[2] = ${bind.string(messageId)}`);
  if (clock.seen !== undefined) rows.push(`time < ${bind.instant(clock.seen)}`);
  if (historyAt !== undefined) rows.push(`ingested <= ${historyAt}`);
  return rows;
}

/** What must hold on one and the same activity. */
function matchesOf({ where, within }: EventLeaf, scope: Scope): string[] {
  const matches = where.map(({ segments, condition }) =>
    conditionSql(jsonValue("properties", segments, scope.bind), condition, scope),
  );
  if (within !== undefined) matches.unshift(rangeSql("time", windowRange(within, scope.clock), scope.bind));
  return matches;
}

/** Up to this many, distinct events are counted in a list of hashes a contact instead of a hash table. */
const SMALL_COUNT_MAX = 31;

/** Repeats of an activity that were not yet folded have the same uid: only distinct ones count, as far as the comparison looks. */
function distinctEvents({ op, value }: Comparison): string {
  const enough = op === "gte" || op === "lt" ? value - 1 : value;
  return enough <= SMALL_COUNT_MAX ? `uniqUpTo(${Math.max(enough, 1)})(uid)` : "uniqExact(uid)";
}

/**
 * Contacts whose latest activity passes; a contact without one has none that does. Time and verdict are one number, whose
 * greatest is cheaper than `argMax`; of several at the latest millisecond one that passes is enough.
 */
function lastEvent(leaf: EventLeaf, rows: string[], matches: string[], scope: Scope): LeafSet {
  const { from, contact } = resolvedRows("activities", scope);
  const passing = matches.length === 0 ? "1" : `toUInt8(${matches.join(" AND ")})`;
  const having = `bitAnd(max(toUnixTimestamp64Milli(time) * 2 + ${passing}), 1) = 1`;
  const latest = `SELECT ${contact} AS owner FROM ${from} WHERE ${rows.join(" AND ")} GROUP BY owner HAVING ${having}`;
  const set = scope.addSet(`SELECT groupBitmapState(owner) FROM (${latest})`);
  const [none, one] = [passes(0, leaf.count), passes(1, leaf.count)];
  if (none === one) return { set: `bitmapAndnot(${set}, ${set})`, complement: none };
  return { set, complement: none };
}
