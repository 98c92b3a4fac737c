import { passes } from "../../compile/comparator.ts";
import { comparisonSql, sumHaving } from "../../compile/counting.ts";
import { resolvedRows } from "../../compile/merges.ts";
import type { Scope } from "../../compile/scope.ts";
import type { LeafSet } from "../../compile/selection.ts";
import type { Measure } from "../../criteria.ts";
import { conditionTests } from "../../trend/conditionTests.ts";
import { firstAfter, firstAt, type Points } from "../../trend/points.ts";
import { type RowTests, rowCodes, together, windowTest } from "../../trend/rowCodes.ts";
import { allOf, steps, weightedSteps } from "../../trend/steps.ts";
import { amountOfEvent, eventValue, rowsOfEvents } from "./compile.ts";
import type { EventLeaf } from "./event.ts";
import { withMessages } from "./message.ts";

/** Contacts by their activities of the actions, at each point those that were there and in the window by then. */
export function eventTrend(leaf: EventLeaf, scope: Scope, points: Points): LeafSet {
  const { measure } = leaf;
  const rows = rowsOf(leaf, scope, points);
  if (measure.kind === "sum") return sumTrend(leaf, measure, rows, scope, points);
  if (leaf.last) return lastTrend(leaf, rows, scope, points);
  const tests = together(rows.tests, matchesOf(leaf, scope, points));
  const events = `SELECT ${rows.contact} AS owner, uid, ${rowCodes(tests.points, points)} AS codes FROM ${rows.from} WHERE ${tests.where.join(" AND ")}`;
  const { holds, complement, isAny } = comparisonSql(measure.comparison);
  if (isAny) return { set: points.addRows(`SELECT owner, codes FROM (${events})`), complement };
  const distinct = `SELECT owner, ${steps("groupArrayArray(codes)")} AS codes FROM (${events}) GROUP BY owner, uid`;
  return { set: points.addRows(distinct, holds), complement };
}

interface Rows {
  readonly from: string;
  readonly contact: string;
  /** Selects the activities that the leaf is about, whatever they hold, from when on they are seen. */
  readonly tests: RowTests;
  /** An activity may be one of the message's at some points only. */
  readonly isOfMessage: boolean;
}

function rowsOf(leaf: EventLeaf, scope: Scope, points: Points): Rows {
  const { bind } = scope;
  const { from, contact } = resolvedRows("activities", scope);
  const where = [...rowsOfEvents(leaf, scope), `time < ${points.last}`];
  const first = [firstAfter("time", points, bind)];
  if (points.isRecorded) {
    where.push(`ingested <= ${points.last}`);
    first.push(firstAt("ingested", points, bind));
  }
  where.push(`1${scope.within}`);
  const messages = withMessages(leaf.message, { from, scope, points });
  const tests = { where, points: { first: [...first, ...messages.first], end: messages.end, also: [] } };
  return { from: messages.from, contact, tests, isOfMessage: messages.end.length > 0 };
}

/** Tests that must hold on one and the same activity. */
function matchesOf({ where, within }: EventLeaf, scope: Scope, points: Points): RowTests {
  const conditions = where.map(({ segments, condition }) =>
    conditionTests(eventValue(segments, scope), condition, scope, points),
  );
  return together(windowTest("time", within, scope, points), ...conditions);
}

/**
 * Sums the amounts. Of several activities with one uid the earliest of a point adds its own: the union of the first k activities adds what
 * the k-th has more than the next one.
 */
function sumTrend(
  leaf: EventLeaf,
  measure: Extract<Measure, { kind: "sum" }>,
  { from, contact, tests: rows }: Rows,
  scope: Scope,
  points: Points,
): LeafSet {
  const tests = together(rows, matchesOf(leaf, scope, points));
  const path = "tuple(r.time, r.ingested, r.action, r.contact)";
  const columns = `${contact} AS owner, uid, ${path} AS place, ${rowCodes(tests.points, points)} AS codes, ${amountOfEvent(measure, scope)} AS amount`;
  const events = `SELECT ${columns} FROM ${from} WHERE ${tests.where.join(" AND ")}`;
  const sorted = `SELECT owner, arraySort(groupArray((place, codes, amount))) AS same FROM (${events}) WHERE notEmpty(codes) GROUP BY owner, uid`;
  const upTo = steps("arrayFlatten(arrayMap(one -> one.2, arraySlice(same, 1, k)))");
  const more = "(same[k].3 - same[k + 1].3)";
  const adding = `arrayMap(code -> (code, if(bitAnd(code, 1) = 0, ${more}, -${more})), ${upTo})`;
  const weighted = `SELECT owner, arrayFlatten(arrayMap(k -> ${adding}, arrayEnumerate(same))) AS pairs FROM (${sorted})`;
  const { having, complement } = sumHaving("sum", measure, scope);
  const codes = weightedSteps("groupArrayArray(pairs)", () => having);
  return { set: points.addRows(`SELECT owner, ${codes} AS codes FROM (${weighted}) GROUP BY owner`), complement };
}

/** Contacts whose latest activity passes: an activity is the latest until a later one is seen. */
function lastTrend(leaf: EventLeaf, rows: Rows, scope: Scope, points: Points): LeafSet {
  const { measure } = leaf;
  if (measure.kind === "sum") throw new Error("a sum is not of the latest activity");
  const matches = matchesOf(leaf, scope, points);
  const set = rows.isOfMessage ? lastOfSome(rows, matches, points) : lastOfAll(rows, matches, points);
  const [none, one] = [passes(0, measure.comparison), passes(1, measure.comparison)];
  if (none === one)
    return { set: points.addRows("SELECT toUInt64(0) AS owner, emptyArrayInt32() AS codes"), complement: none };
  return { set: points.addRows(set), complement: none };
}

function lastOfAll({ from, contact, tests }: Rows, matches: RowTests, points: Points): string {
  const first = rowFirst(tests);
  const own = rowCodes(
    { ...matches.points, first: [first, ...matches.points.first], end: ["until", ...matches.points.end] },
    points,
  );
  const later = "ORDER BY ms DESC RANGE BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING";
  const until = `toInt32(${points.end} - max(${points.end} - ${first}) OVER (PARTITION BY owner ${later})) AS until`;
  const events = `SELECT *, ${contact} AS owner, toUnixTimestamp64Milli(time) AS ms FROM ${from} WHERE ${tests.where.join(" AND ")}`;
  return `SELECT owner, ${own} AS codes FROM (SELECT *, ${until} FROM (${events})) WHERE ${["1", ...matches.where].join(" AND ")}`;
}

function rowFirst({ points: { first } }: RowTests): string {
  const [one = "0", ...others] = first;
  return others.length === 0 ? one : `greatest(${first.join(", ")})`;
}

/** Activities that are seen at some points only: where an activity passes and no later one is seen. */
function lastOfSome({ from, contact, tests }: Rows, matches: RowTests, points: Points): string {
  const seen = rowCodes(tests.points, points);
  const passing = `if(${["1", ...matches.where].join(" AND ")}, ${rowCodes(together(tests, matches).points, points)}, emptyArrayInt32())`;
  const events = `SELECT ${contact} AS owner, -toUnixTimestamp64Milli(time) AS place, ${seen} AS seen, ${passing} AS passing FROM ${from} WHERE ${tests.where.join(" AND ")}`;
  const instants = `SELECT owner, place, ${steps("groupArrayArray(seen)")} AS seen, ${steps("groupArrayArray(passing)")} AS passing FROM (${events}) GROUP BY owner, place`;
  const sorted = `SELECT owner, arraySort(groupArray((place, seen, passing))) AS latest FROM (${instants}) GROUP BY owner`;
  const later = `arrayPushFront(arrayMap(code -> toInt32(bitXor(code, 1)), ${steps("arrayFlatten(arrayMap(one -> one.2, arraySlice(latest, 1, k - 1)))")}), toInt32(0))`;
  const own = allOf(["latest[k].3", later]);
  return `SELECT owner, arrayFlatten(arrayMap(k -> ${own}, arrayEnumerate(latest))) AS codes FROM (${sorted})`;
}
