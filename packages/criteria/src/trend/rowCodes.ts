import { rangeSql, windowRange } from "../compile/clock.ts";
import type { Scope } from "../compile/scope.ts";
import type { Window } from "../criteria.ts";
import { millisecondsOf, type Points, type Span, spansOf } from "./points.ts";
import { allOf, NO_STEPS } from "./steps.ts";

/** Returns the points at which a row counts: from the greatest of `first` to the least of `end`, where all of `also` hold. */
export interface RowPoints {
  readonly first: readonly string[];
  readonly end: readonly string[];
  /** Sets of points (steps.ts). */
  readonly also: readonly string[];
}

/** Tests of a row: those that are the same at every point, as conditions, and those that are not. */
export interface RowTests {
  readonly where: readonly string[];
  readonly points: RowPoints;
}

export const ALWAYS: RowTests = { where: [], points: { first: [], end: [], also: [] } };

export function together(...tests: readonly RowTests[]): RowTests {
  return {
    where: tests.flatMap(({ where }) => where),
    points: {
      first: tests.flatMap(({ points }) => points.first),
      end: tests.flatMap(({ points }) => points.end),
      also: tests.flatMap(({ points }) => points.also),
    },
  };
}

/** The codes of a row. */
export function rowCodes({ first, end, also }: RowPoints, points: Points): string {
  const isAlways = first.length + end.length === 0;
  const span = spanCodes({ on: bound("greatest", first, "0"), off: bound("least", end, `${points.end}`) });
  return allOf(isAlways && also.length > 0 ? also : [span, ...also]);
}

function bound(of: "greatest" | "least", indexes: readonly string[], none: string): string {
  const [one = none, ...others] = indexes;
  return others.length === 0 ? one : `${of}(${indexes.join(", ")})`;
}

export function spanCodes({ on, off }: Span): string {
  return `if(${on} < ${off}, CAST([${on} * 2, ${off} * 2 + 1], 'Array(Int32)'), ${NO_STEPS})`;
}

/** The test that an instant (DateTime64, never NULL) lies in a window. */
export function windowTest(instant: string, window: Window | undefined, scope: Scope, points: Points): RowTests {
  if (window === undefined) return ALWAYS;
  if (window.kind === "range") {
    return { ...ALWAYS, where: [rangeSql(instant, windowRange(window, scope.clock), scope.bind)] };
  }
  const ranges = points.clocks.map((clock) => windowRange(window, clock));
  return spansTest(spansOf(millisecondsOf(instant), ranges, scope.bind));
}

/** One span is two bounds; several are a set. */
export function spansTest(spans: readonly Span[]): RowTests {
  const [one, ...others] = spans;
  if (one === undefined || others.length > 0)
    return { where: [], points: { first: [], end: [], also: [spansCodes(spans)] } };
  return { where: [], points: { first: [one.on], end: [one.off], also: [] } };
}

/** Spans that have no point in common, in order. */
export function spansCodes(spans: readonly Span[]): string {
  const [one = NO_STEPS, ...others] = spans.map(spanCodes);
  return others.length === 0 ? one : `arrayConcat(${[one, ...others].join(", ")})`;
}
