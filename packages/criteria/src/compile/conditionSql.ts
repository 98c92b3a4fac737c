import type { Condition, DateTest, Test } from "../criteria.ts";
import { anniversaryDays } from "./anniversary.ts";
import { dateRange } from "./clock.ts";
import { COMPARATOR_SQL, passes } from "./comparator.ts";
import type { Scope } from "./scope.ts";
import type { ValueSql } from "./values.ts";

/** SQL that is 1 where the condition holds and 0 elsewhere, missing values included. */
export function conditionSql(value: ValueSql, condition: Condition, scope: Scope): string {
  const test = `ifNull(${testSql(value, condition.test, scope)}, 0)`;
  return condition.negated ? `NOT ${test}` : test;
}

/** SQL of the test alone: 1 where it holds, 0 or NULL elsewhere. */
export function testSql(value: ValueSql, test: Test, scope: Scope): string {
  const { bind } = scope;
  switch (test.kind) {
    case "exists":
      return value.exists;
    case "textIn":
      return textInSql(value, test, scope);
    case "textMatch":
      return matchSql(value.text(), test, scope);
    case "containsFree": {
      const element = elementsSql(value, { ...test, match: "any", values: [test.value] }, scope);
      return `if(${value.isArray}, ${element}, ${matchSql(value.text(), { ...test, match: "contains" }, scope)})`;
    }
    case "number":
      return `${numberOf(value, passes(0, test))} ${COMPARATOR_SQL[test.op]} ${bind.float(test.value)}`;
    case "numberIn":
      return `${numberOf(value, test.values.includes(0))} IN ${bind.floats(test.values)}`;
    case "numberBetween": {
      const number = numberOf(value, test.low <= 0 && test.high >= 0);
      return `${number} BETWEEN ${bind.float(test.low)} AND ${bind.float(test.high)}`;
    }
    case "elements":
      return elementsSql(value, test, scope);
    case "length":
      return `(${value.isArray}) AND (length(${value.elements}) ${COMPARATOR_SQL[test.op]} ${bind.uint(test.value)})`;
    case "boolean":
      return `${value.boolean} = ${test.value ? 1 : 0}`;
    case "distance": {
      const here = `${bind.float(test.lon)}, ${bind.float(test.lat)}`;
      return `greatCircleDistance(${value.longitude}, ${value.latitude}, ${here}) <= ${bind.float(test.metres)}`;
    }
    default:
      return dateTestSql(value, test, scope);
  }
}

function numberOf({ number, numberOrZero = number }: ValueSql, isZeroPassing: boolean): string {
  return isZeroPassing ? number : numberOrZero;
}

function textInSql(value: ValueSql, test: Extract<Test, { kind: "textIn" }>, { bind }: Scope): string {
  const values = test.ignoreCase ? test.values.map((text) => text.toLowerCase()) : test.values;
  const text = test.ignoreCase ? `lowerUTF8(${value.text(values)})` : value.text(values);
  const [first] = values;
  const isOne = values.length === 1 && first !== undefined;
  const comparison = isOne ? `${text} = ${bind.string(first)}` : `${text} IN ${bind.strings(values)}`;
  const prefilter = test.ignoreCase ? undefined : value.prefilter?.(values);
  return prefilter === undefined ? comparison : `(${prefilter}) AND (${comparison})`;
}

function elementsSql(
  value: ValueSql,
  test: Omit<Extract<Test, { kind: "elements" }>, "kind">,
  { bind }: Scope,
): string {
  const has = test.match === "any" ? "hasAny" : "hasAll";
  if (!test.ignoreCase) return `${has}(${value.elements}, ${bind.strings(test.values)})`;
  const wanted = bind.strings(test.values.map((text) => text.toLowerCase()));
  return `${has}(arrayMap(element -> lowerUTF8(element), ${value.elements}), ${wanted})`;
}

type Match = Omit<Extract<Test, { kind: "textMatch" }>, "kind">;

function matchSql(text: string, { match, value, ignoreCase }: Match, { bind }: Scope): string {
  const read = ignoreCase ? `lowerUTF8(${text})` : text;
  const wanted = ignoreCase ? value.toLowerCase() : value;
  switch (match) {
    case "contains":
      return `position(${read}, ${bind.string(wanted)}) > 0`;
    case "startsWith":
      return `startsWith(${read}, ${bind.string(wanted)})`;
    case "endsWith":
      return `endsWith(${read}, ${bind.string(wanted)})`;
    case "domain":
      return `endsWith(lowerUTF8(${text}), ${bind.string(`@${value.toLowerCase()}`)})`;
    case "regex":
      return `match(${text}, ${bind.string(`${regexFlags(value, ignoreCase)}${value}`)})`;
  }
}

/** Returns flags by which an expression means what RE2 means: its dot is no end of a line unless it says so, and the store's is one. */
function regexFlags(value: string, ignoreCase: boolean): string {
  return `${ignoreCase ? "(?i)" : ""}${value.includes(".") ? "(?-s)" : ""}`;
}

function dateTestSql(value: ValueSql, test: DateTest, { bind, clock }: Scope): string {
  const range = dateRange(test, clock);
  if (range !== undefined) return value.dateIn(range, clock.timezone, bind);
  if (test.kind !== "anniversaryInNext" && test.kind !== "anniversaryInLast")
    throw new Error(`${test.kind} has no range`);
  const timezone = bind.string(clock.timezone);
  const date = value.date(clock.timezone, bind);
  const days = anniversaryDays(test, clock);
  if (days === undefined) return `${date} IS NOT NULL`;
  const day = `(toMonth(${date}, ${timezone}) * 100 + toDayOfMonth(${date}, ${timezone}))`;
  const [first, last] = [bind.uint(days.first), bind.uint(days.last)];
  if (days.first <= days.last) return `${day} BETWEEN ${first} AND ${last}`;
  return `((${day} >= ${first}) OR (${day} <= ${last}))`;
}
