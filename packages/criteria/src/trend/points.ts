import type { Binder } from "../compile/binder.ts";
import type { Clock, Range } from "../compile/clock.ts";

/** The instants that a trend is taken at. */
export interface Points {
  /** UTC milliseconds, ascending. */
  readonly bounds: readonly number[];
  /** The index behind the last point: what ends there never ends. */
  readonly end: number;
  readonly isRecorded: boolean;
  /** The clock of a count as of each point. */
  readonly clocks: readonly Clock[];
  /** The last point, bound. */
  readonly last: string;
  /**
   * Adds rows of `owner` and `codes` (steps.ts) and answers the name of the set of points at which the owner's codes add up to a sum that
   * passes; left out: any.
   */
  addRows(sql: string, holds?: (sum: string) => string): string;
}

/** The points from `on`, included, to `off`, excluded: SQL of indexes. */
export interface Span {
  readonly on: string;
  readonly off: string;
}

/** Lower than any moment. */
const BEFORE_ALL = Number.MIN_SAFE_INTEGER;

/** SQL of how many of the ascending values are not above the number `x` (Int64). */
export function countUpTo(x: string, values: readonly number[], bind: Binder): string {
  const counts = new Map<number, number>([[BEFORE_ALL, 0]]);
  for (const [index, value] of values.entries()) counts.set(value, index + 1);
  const keys = bind.ints([...counts.keys()]);
  return `toInt32(transform(roundDown(${x}, ${keys}), ${keys}, ${bind.ints([...counts.values()])}, toInt64(0)))`;
}

export function millisecondsOf(instant: string): string {
  return `toUnixTimestamp64Milli(${instant})`;
}

/** The first point that is at the instant or after it: what is seen from its own instant on. */
export function firstAt(timestamp: string, { bounds }: Points, bind: Binder): string {
  return countUpTo(`(${millisecondsOf(timestamp)} - 1)`, bounds, bind);
}

/** The first point after the moment. */
export function firstAfter(moment: string, { bounds }: Points, bind: Binder): string {
  return countUpTo(millisecondsOf(moment), bounds, bind);
}

/** The points whose range holds the number `x`; `ranges` has one of each point. Mostly one span. */
export function spansOf(x: string, ranges: readonly Range[], bind: Binder): Span[] {
  const edges = ranges.map(({ from, after, to, upTo }) => ({
    from: from ?? (after === undefined ? undefined : after + 1),
    to: to ?? (upTo === undefined ? undefined : upTo + 1),
  }));
  return runsOf(edges).map(({ first, end }) => {
    const run = edges.slice(first, end);
    const [from, to] = [run.flatMap((edge) => edge.from ?? []), run.flatMap((edge) => edge.to ?? [])];
    return {
      on: to.length === 0 ? `${first}` : `(${first} + ${countUpTo(x, to, bind)})`,
      off: from.length === 0 ? `${end}` : `(${first} + ${countUpTo(x, from, bind)})`,
    };
  });
}

interface Edges {
  readonly from: number | undefined;
  readonly to: number | undefined;
}

/** Runs of points whose ranges move forwards. A month back from the 31st may be before a month back from the 30th. */
function runsOf(edges: readonly Edges[]): { readonly first: number; readonly end: number }[] {
  const runs: { first: number; end: number }[] = [];
  let before: Edges | undefined;
  for (const [index, edge] of edges.entries()) {
    const run = runs.at(-1);
    if (run === undefined || before === undefined || falls(before.from, edge.from) || falls(before.to, edge.to)) {
      runs.push({ first: index, end: index + 1 });
    } else run.end = index + 1;
    before = edge;
  }
  return runs;
}

function falls(before: number | undefined, after: number | undefined): boolean {
  return before !== undefined && after !== undefined && after < before;
}
