import { anniversaryDays } from "../compile/anniversary.ts";
import { dateRange } from "../compile/clock.ts";
import { conditionSql } from "../compile/conditionSql.ts";
import type { Scope } from "../compile/scope.ts";
import type { ValueSql } from "../compile/values.ts";
import type { Condition, DateTest, Test } from "../criteria.ts";
import { millisecondsOf, type Points, type Span, spansOf } from "./points.ts";
import { ALWAYS, type RowTests, spansCodes } from "./rowCodes.ts";
import { complementOf, NO_STEPS } from "./steps.ts";

/** The condition on one value of a row. */
export function conditionTests(value: ValueSql, condition: Condition, scope: Scope, points: Points): RowTests {
  const { test, negated } = condition;
  if (!isMoving(test)) return { ...ALWAYS, where: [conditionSql(value, condition, scope)] };
  const codes = movingCodes(value, test, scope, points);
  return { where: [], points: { ...ALWAYS.points, also: [negated ? complementOf(codes) : codes] } };
}

/** Returns whether a test checks the instant that is counted for. */
export function isMoving(test: Test): test is DateTest {
  switch (test.kind) {
    case "inLast":
    case "inNext":
    case "anniversaryInNext":
    case "anniversaryInLast":
      return true;
    case "day":
      return test.moment === "today";
    default:
      return false;
  }
}

/** The points at which a date passes; none where the value is no date. */
export function movingCodes(value: ValueSql, test: DateTest, scope: Scope, points: Points): string {
  const { bind, clock } = scope;
  const date = value.date(clock.timezone, bind);
  const known = `assumeNotNull(${date})`;
  const spans =
    test.kind === "anniversaryInNext" || test.kind === "anniversaryInLast"
      ? anniversarySpans(known, test, scope, points)
      : spansOf(millisecondsOf(known), rangesOf(test, points), bind);
  return `if(isNull(${date}), ${NO_STEPS}, ${spansCodes(spans)})`;
}

function rangesOf(test: DateTest, { clocks }: Points) {
  return clocks.map((clock) => dateRange(test, clock) ?? {});
}

const MONTHS = 12;
const DAYS = 31;

/** Each day of the year has as many spans as there are stretches of points around its anniversaries. */
function anniversarySpans(
  date: string,
  test: Parameters<typeof anniversaryDays>[0],
  { bind, clock }: Scope,
  { clocks, end }: Points,
): Span[] {
  const wanted = clocks.map((one) => anniversaryDays(test, one));
  const passes = (index: number, day: number) => {
    const days = wanted[index];
    if (days === undefined) return true;
    return days.first <= days.last ? day >= days.first && day <= days.last : day >= days.first || day <= days.last;
  };
  const stretches = new Map<number, (readonly [on: number, off: number])[]>();
  for (let number = 0; number < MONTHS * DAYS; number += 1) {
    const day = (Math.floor(number / DAYS) + 1) * 100 + (number % DAYS) + 1;
    stretches.set(
      day,
      stretchesOf(end, (index) => passes(index, day)),
    );
  }
  const most = Math.max(...[...stretches.values()].map(({ length }) => length));
  const timezone = bind.string(clock.timezone);
  const dayOfYear = `toInt64(toMonth(${date}, ${timezone}) * 100 + toDayOfMonth(${date}, ${timezone}))`;
  const keys = bind.ints([...stretches.keys()]);
  const checked = (path: number, side: 0 | 1) => {
    const values = [...stretches.values()].map((of) => of[path]?.[side] ?? 0);
    return `toInt32(transform(${dayOfYear}, ${keys}, ${bind.ints(values)}, toInt64(0)))`;
  };
  return Array.from({ length: most }, (_, position) => ({ on: checked(position, 0), off: checked(position, 1) }));
}

function stretchesOf(end: number, passes: (index: number) => boolean): (readonly [number, number])[] {
  const found: (readonly [number, number])[] = [];
  let on: number | undefined;
  for (let index = 0; index <= end; index += 1) {
    const isIn = index < end && passes(index);
    if (isIn && on === undefined) on = index;
    if (!isIn && on !== undefined) {
      found.push([on, index]);
      on = undefined;
    }
  }
  return found;
}
