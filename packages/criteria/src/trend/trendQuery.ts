import { createBinder } from "../compile/binder.ts";
import type { Clock } from "../compile/clock.ts";
import type { Scope } from "../compile/scope.ts";
import type { SetAlgebra } from "../compile/selection.ts";
import type { Points } from "./points.ts";
import { allOf, anyOf, NO_STEPS, withoutSteps } from "./steps.ts";

export interface TrendOptions {
  /** The account's number. */
  readonly account: number;
  /** The instants, UTC milliseconds, ascending; none is ahead of now. */
  readonly bounds: readonly number[];
  readonly basis: "recorded" | "event";
  /** IANA name as `canonicalTimezone` spells it. */
  readonly timezone: string;
  /** True when the account has merged contacts. */
  readonly hasMerges: boolean;
  readonly currency: string;
  readonly eligibleFor?: { readonly channel: string; readonly classification: "promotional" | "transactional" };
  /** Contact numbers that are checked: `from` included, `to` excluded, or each of a list. */
  readonly numbers: { readonly from: number; readonly to: number } | readonly number[];
}

/** Sets of points, one of each contact. */
export const STEPS: SetAlgebra = {
  none: NO_STEPS,
  or: (left, right) => anyOf([left, right]),
  and: (left, right) => allOf([left, right]),
  without: withoutSteps,
};

interface Leaf {
  readonly sql: string;
  readonly holds: ((sum: string) => string) | undefined;
}

interface TrendQuery {
  readonly scope: Scope;
  readonly points: Points;
  /** Rows that were added to the points; each is the set named `s` and its place. Equal ones are added once. */
  readonly leaves: readonly Leaf[];
  /** ` AND …`: the contacts that are checked, by their own numbers. */
  readonly within: string;
}

export function createTrendQuery(options: TrendOptions): TrendQuery {
  const { bounds, timezone, hasMerges, currency, numbers } = options;
  const bind = createBinder();
  const account = bind.uint(options.account);
  const clocks = bounds.map((reference): Clock => ({ reference, end: reference, timezone }));
  const last = clocks.at(-1);
  if (last === undefined) throw new Error("a trend has one moment at least");
  const { leaves, addRows } = createLeaves();
  const isRecorded = options.basis === "recorded";
  const points = { bounds, end: bounds.length, isRecorded, clocks, last: bind.instant(last.reference), addRows };
  const rangeOf = (column: string) =>
    "from" in numbers
      ? `${column} >= ${bind.uint(numbers.from)} AND ${column} < ${bind.uint(numbers.to)}`
      : `${column} IN ${bind.ints(numbers)}`;
  const own = rangeOf("contact");
  const merged = `SELECT contact FROM contact_aliases FINAL WHERE account = ${account} AND ${rangeOf("survivor")}`;
  const scope: Scope = {
    bind,
    clock: last,
    account,
    currency,
    hasMerges,
    within: hasMerges ? ` AND (${own} OR contact IN (${merged}))` : ` AND ${own}`,
    points,
    sets: STEPS,
    addSet: () => {
      throw new Error("a trend has rows of points, no sets of contacts");
    },
    addNote: () => undefined,
    groupInOrder: () => undefined,
  };
  return { scope, points, leaves, within: ` AND ${own}` };
}

function createLeaves(): { readonly leaves: readonly Leaf[]; readonly addRows: Points["addRows"] } {
  const leaves: Leaf[] = [];
  const names = new Map<string, string>();
  return {
    leaves,
    addRows: (sql, holds) => {
      const key = `${sql} ${holds?.("n") ?? ""}`;
      const name = names.get(key) ?? `s${leaves.length}`;
      if (!names.has(key)) leaves.push({ sql, holds });
      names.set(key, name);
      return name;
    },
  };
}
