import { type Range, rangeSql } from "./clock.ts";
import { latestVersion, passes } from "./latestVersion.ts";
import type { Scope } from "./scope.ts";

/** Longest window of which the orders that ever lay in it are looked for first: in a longer one lie too many of all, which are grouped in their order. */
const NARROW_MS_MAX = 60 * 86_400_000;

/** Question to the orders of a past moment. */
export interface PastOrders {
  /** UTC DateTime64, bound. */
  readonly historyAt: string;
  /** Conditions on the columns of an order. */
  readonly where: readonly string[];
  /** Times of purchase beyond which none passes: orders that never lay in it are not looked at again. */
  readonly purchased?: Range;
  /** A decimal of 4 places that an order adds; NULL adds nothing. */
  readonly amount?: string;
}

/** A query of `contact`, and `amount` where one is asked for: the orders whose latest version up to then passes. */
export function pastOrders({ historyAt, where, purchased, amount }: PastOrders, scope: Scope): string {
  const history = (prewhere = "") =>
    `FROM orders_history ${prewhere}WHERE account = ${scope.account} AND at <= ${historyAt}`;
  const added = amount === undefined ? "" : `, ifNull(toDecimal128(${amount}, 4), toDecimal128(0, 4)) AS added`;
  const isFew = isNarrow(purchased);
  if (!isFew) scope.groupInOrder();
  const once = isFew
    ? `PREWHERE order_id IN (SELECT order_id ${history()} AND ${rangeSql("purchased_at", purchased, scope.bind)}) `
    : "";
  const tested = `SELECT order_id, contact, ${latestVersion.rankedByRevision}, ${passes(where)}${added} ${history(once)}`;
  // No order of a version that fails belongs to anybody: contacts' numbers begin at 1.
  const rows = `SELECT order_id, rank, if(passes = 1, contact, 0) AS owner${amount === undefined ? "" : ", added"} FROM (${tested})`;
  const sums = amount === undefined ? "" : `, ${latestVersion.of("added")} AS amount`;
  return `SELECT ${latestVersion.of("owner")} AS contact${sums} FROM (${rows}) GROUP BY order_id HAVING contact > 0`;
}

function isNarrow(range: Range | undefined): range is Range {
  return range?.from !== undefined && range.to !== undefined && range.to - range.from <= NARROW_MS_MAX;
}
