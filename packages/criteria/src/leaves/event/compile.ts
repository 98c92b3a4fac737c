import { rangeSql, windowRange } from "../../compile/clock.ts";
import { passes } from "../../compile/comparator.ts";
import { conditionSql } from "../../compile/conditionSql.ts";
import { havingSql, planCount, sumHaving } from "../../compile/counting.ts";
import { resolvedRows, resolvedSet } from "../../compile/merges.ts";
import type { Scope } from "../../compile/scope.ts";
import type { LeafSet } from "../../compile/selection.ts";
import { columnValue, jsonValue, type ValueSql } from "../../compile/values.ts";
import type { Comparison, Measure } from "../../criteria.ts";
import { isMachineSql } from "../../messages/isMachineSql.ts";
import type { EventLeaf } from "./event.ts";
import { idConditions, messageConditions } from "./message.ts";

/** Contacts whose activities of the actions pass: any of them, as many as counted, their sum, or the latest alone. */
export function selectEvents(leaf: EventLeaf, scope: Scope): LeafSet {
  const rows = rowsOf(leaf, scope);
  const matches = matchesOf(leaf, scope);
  const { measure } = leaf;
  const where = [...rows, ...matches].join(" AND ");
  if (measure.kind === "sum") return sumOfEvents(leaf, measure, where, scope);
  const { comparison } = measure;
  if (leaf.last) return lastEvent(comparison, rows, matches, scope);
  const plan = planCount(comparison);
  if (plan.having === "any") {
    const set = resolvedSet(`SELECT groupBitmapState(contact) FROM activities WHERE ${where}`, scope);
    return { set, complement: plan.complement };
  }
  const { from, contact } = resolvedRows("activities", scope);
  const having = havingSql(distinctEvents(comparison), plan.having, scope.bind.uint(comparison.value));
  const counted = `SELECT ${contact} AS owner FROM ${from} WHERE ${where} GROUP BY owner HAVING ${having}`;
  return { set: scope.addSet(`SELECT groupBitmapState(owner) FROM (${counted})`), complement: plan.complement };
}

/** Compiles how many activities of one contact match, or their sum; of `last` the time of the latest, whatever it holds. */
export function sawOfEvents(leaf: EventLeaf, scope: Scope, owner: string): string {
  const { measure } = leaf;
  const rows = rowsOf(leaf, scope);
  const { from, contact } = resolvedRows("activities", scope);
  const isOwn = `${contact} = ${owner}`;
  if (leaf.last)
    return `(SELECT if(count() = 0, '', toJSONString(max(time))) FROM ${from} WHERE ${[...rows, isOwn].join(" AND ")})`;
  const where = [...rows, ...matchesOf(leaf, scope), isOwn].join(" AND ");
  if (measure.kind === "count") return `(SELECT toString(uniqExact(uid)) FROM ${from} WHERE ${where})`;
  return `(SELECT toString(sum(amount)) FROM (${distinctAmounts(leaf, measure, where, scope)}))`;
}

/** Selects the activities that the leaf is about, whatever they hold. */
function rowsOf(leaf: EventLeaf, scope: Scope): string[] {
  const { message } = leaf;
  const seen = seenSql(scope);
  return [
    ...actionConditions(leaf, scope),
    ...(message === undefined ? [] : messageConditions(message, seen, scope)),
    ...seen,
  ];
}

/** Selects the activities of the actions; of a message as far as they name it themselves. */
export function rowsOfEvents(leaf: EventLeaf, scope: Scope): string[] {
  return [...actionConditions(leaf, scope), ...(leaf.message === undefined ? [] : idConditions(leaf.message, scope))];
}

/** Events of messages that machines cause, too; in numbers of messages they are not counted either. */
const CAUSED_BY_MACHINES: ReadonlySet<string> = new Set(["open", "click"]);

function actionConditions({ actions, robots }: EventLeaf, { bind, account }: Scope): string[] {
  const [first] = actions;
  const isOne = actions.length === 1 && first !== undefined;
  const rows = [
    `account = ${account}`,
    isOne ? `action = ${bind.string(first)}` : `action IN ${bind.strings(actions)}`,
  ];
  const tested = robots === true ? [] : actions.filter((action) => CAUSED_BY_MACHINES.has(action));
  if (tested.length === 0) return rows;
  const isTested = tested.length === actions.length ? "" : `action IN ${bind.strings(tested)} AND `;
  return [...rows, `NOT (${isTested}${isMachineSql()})`];
}

/** Bounds activities to those that were there at the instant asked for. */
function seenSql({ bind, clock, historyAt }: Scope): string[] {
  const seen: string[] = [];
  if (clock.seen !== undefined) seen.push(`time < ${bind.instant(clock.seen)}`);
  if (historyAt !== undefined) seen.push(`ingested <= ${historyAt}`);
  return seen;
}

/** Tests that must hold on one and the same activity. */
function matchesOf({ where, within }: EventLeaf, scope: Scope): string[] {
  const matches = where.map(({ segments, condition }) => conditionSql(eventValue(segments, scope), condition, scope));
  if (within !== undefined) matches.unshift(rangeSql("time", windowRange(within, scope.clock), scope.bind));
  return matches;
}

/** Largest count for which distinct events are counted in a list of hashes a contact instead of a hash table. */
const SMALL_COUNT_MAX = 31;

/** Repeats of an activity that were not yet folded have the same uid: only distinct ones count, as far as the comparison checks. */
function distinctEvents({ op, value }: Comparison): string {
  const enough = op === "gte" || op === "lt" ? value - 1 : value;
  return enough <= SMALL_COUNT_MAX ? `uniqUpTo(${Math.max(enough, 1)})(uid)` : "uniqExact(uid)";
}

/** Sums each distinct event once; of several with one uid the earliest. A text that says a number adds, all else adds 0. */
function sumOfEvents(
  leaf: EventLeaf,
  measure: Extract<Measure, { kind: "sum" }>,
  where: string,
  scope: Scope,
): LeafSet {
  const { having, complement } = sumHaving("sum(amount)", measure, scope);
  const events = distinctAmounts(leaf, measure, where, scope);
  const summed = `SELECT owner FROM (${events}) GROUP BY owner HAVING ${having}`;
  return { set: scope.addSet(`SELECT groupBitmapState(owner) FROM (${summed})`), complement };
}

/** A query of `owner`, `event` and `amount`: what each distinct event adds. */
function distinctAmounts(
  { actions }: EventLeaf,
  measure: Extract<Measure, { kind: "sum" }>,
  where: string,
  scope: Scope,
): string {
  const { from, contact } = resolvedRows("activities", scope);
  const earliest = `argMin(${amountOfEvent(measure, scope)}, ${pathOfEvent(actions, scope)})`;
  return `SELECT ${contact} AS owner, sipHash128(uid) AS event, ${earliest} AS amount FROM ${from} WHERE ${where} GROUP BY owner, event`;
}

/** Added to milliseconds since 1970, so that those of the oldest instant that ClickHouse keeps are above 0. */
const OLDEST_MS = 10_000_000_000_000;

/**
 * Orders copies of an event by time, then when they came, then action and contact. ClickHouse compares one number at once, where it would
 * walk through the members of a tuple: that took a third of the whole sum.
 */
function pathOfEvent(actions: readonly string[], { bind }: Scope): string {
  const ms = (column: string) => `toUInt256(toUnixTimestamp64Milli(r.${column}) + ${OLDEST_MS})`;
  const path = `bitShiftLeft(${ms("time")}, 192) + bitShiftLeft(${ms("ingested")}, 128) + toUInt256(r.contact)`;
  if (actions.length === 1) return path;
  const byName = [...actions].toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  return `${path} + bitShiftLeft(toUInt256(indexOf(${bind.strings(byName)}, r.action)), 64)`;
}

/** The amount of an activity as Decimal256 of 10 places. */
export function amountOfEvent({ of }: Extract<Measure, { kind: "sum" }>, scope: Scope): string {
  const text = eventValue(of, scope);
  // No array or object is a decimal: the kind of a text needs no look.
  const number = of[0] === "geo" ? `toString(${text.number})` : text.text([]);
  return `ifNull(toDecimal256OrNull(${number}, 10), toDecimal256(0, 10))`;
}

/**
 * Contacts whose latest activity passes; a contact without one has none that does. Time and verdict are one number, whose
 * greatest is cheaper than `argMax`; of several at the latest millisecond one that passes is enough.
 */
function lastEvent(count: Comparison, rows: string[], matches: string[], scope: Scope): LeafSet {
  const { from, contact } = resolvedRows("activities", scope);
  const passing = matches.length === 0 ? "1" : `toUInt8(${matches.join(" AND ")})`;
  const having = `bitAnd(max(toUnixTimestamp64Milli(time) * 2 + ${passing}), 1) = 1`;
  const latest = `SELECT ${contact} AS owner FROM ${from} WHERE ${rows.join(" AND ")} GROUP BY owner HAVING ${having}`;
  const set = scope.addSet(`SELECT groupBitmapState(owner) FROM (${latest})`);
  const [none, one] = [passes(0, count), passes(1, count)];
  if (none === one) return { set: `bitmapAndnot(${set}, ${set})`, complement: none };
  return { set, complement: none };
}

/** Reads a member of an activity: of its properties, its place or its device. */
export function eventValue([part, ...segments]: readonly string[], { bind }: Scope): ValueSql {
  switch (part) {
    case "device":
      return jsonValue("device", segments, bind);
    case "geo":
      return pathValue(segments.join("."));
    default:
      return jsonValue("properties", segments, bind);
  }
}

/** Empty texts and NULL coordinates stand for what was not sent. */
function pathValue(member: string): ValueSql {
  switch (member) {
    case "city":
      return textColumn("geo_city");
    case "country":
      return textColumn("toString(geo_country)");
    case "geoLoc":
      return { ...columnValue("geo_lat", "number"), ...POINT, exists: "geo_lat IS NOT NULL", number: "NULL" };
    default: {
      const column = member === "geoLoc.lat" ? "geo_lat" : "geo_lon";
      return { ...columnValue(column, "number"), exists: `${column} IS NOT NULL` };
    }
  }
}

const POINT = { latitude: "geo_lat", longitude: "geo_lon" } as const;

function textColumn(column: string): ValueSql {
  return { ...columnValue(column, "string"), text: () => `nullIf(${column}, '')`, exists: `${column} != ''` };
}
