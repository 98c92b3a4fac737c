import { type Range, rangeSql, windowRange } from "../../compile/clock.ts";
import { conditionSql } from "../../compile/conditionSql.ts";
import { havingSql, planCount, sumHaving } from "../../compile/counting.ts";
import { latestVersion, passes } from "../../compile/latestVersion.ts";
import { resolvedRows, resolvedSet } from "../../compile/merges.ts";
import type { Scope } from "../../compile/scope.ts";
import type { LeafSet } from "../../compile/selection.ts";
import { columnValue, jsonValue, type ValueSql } from "../../compile/values.ts";
import type { Measure, Property } from "../../criteria.ts";
import type { OrderLeaf } from "./order.ts";

/** Contacts by the number or the sum of their orders that pass all conditions. */
export function selectOrders(leaf: OrderLeaf, scope: Scope): LeafSet {
  const { measure } = leaf;
  const where = [...rowsOf(scope), ...matchesOf(leaf, scope)];
  if (measure.kind === "sum") return sumOfOrders(leaf, measure, where, scope);
  const plan = planCount(measure.comparison);
  const orders = ordersOf({ leaf, where }, scope);
  if (plan.having === "any") {
    const set = resolvedSet(`SELECT groupBitmapState(contact) FROM (${orders})`, scope);
    return { set, complement: plan.complement };
  }
  const having = havingSql("count()", plan.having, scope.bind.uint(measure.comparison.value));
  return { set: groupedSet(orders, having, scope), complement: plan.complement };
}

/** Compiles how many orders of one contact match, or their sum. */
export function sawOfOrders(leaf: OrderLeaf, scope: Scope, owner: string): string {
  const { measure } = leaf;
  const where = [...rowsOf(scope), ...matchesOf(leaf, scope)];
  const asked = measure.kind === "sum" ? summedOrders(leaf, measure, where, scope) : ordersOf({ leaf, where }, scope);
  const { from, contact } = resolvedRows(`(${asked})`, scope);
  const saw = measure.kind === "sum" ? "sum(amount)" : "count()";
  return `(SELECT ifNull(toString(${saw}), '0') FROM ${from} WHERE ${contact} = ${owner})`;
}

function rowsOf({ clock, bind }: Scope): string[] {
  const seen = clock.seenOrders === undefined ? [] : [`purchased_at < ${bind.instant(clock.seenOrders)}`];
  return ["deleted = 0", ...seen];
}

interface OrdersAsked {
  readonly leaf: OrderLeaf;
  readonly where: readonly string[];
  /** A decimal that an order adds. */
  readonly amount?: string;
}

/** A query of `contact`, and `amount` where one is asked for: the orders that pass, as they are now or were at the past moment. */
function ordersOf({ leaf, where, amount }: OrdersAsked, scope: Scope): string {
  const { historyAt, account, clock } = scope;
  if (historyAt !== undefined) {
    const purchased = leaf.within && windowRange(leaf.within, clock);
    return pastOrders({ historyAt, where, ...(purchased && { purchased }), ...(amount && { amount }) }, scope);
  }
  const added = amount === undefined ? "" : `, ${amount} AS amount`;
  return `SELECT contact${added} FROM orders_current FINAL WHERE account = ${account} AND ${where.join(" AND ")}`;
}

function matchesOf({ where, items, within, statuses }: OrderLeaf, scope: Scope): string[] {
  const { bind, clock } = scope;
  const matches = where.map((property) => conditionSql(orderValue(property, scope), property.condition, scope));
  matches.unshift(...statusConditions(statuses, scope));
  if (within !== undefined) matches.unshift(rangeSql("purchased_at", windowRange(within, clock), bind));
  if (items.length > 0) {
    matches.push(`arrayExists(item -> ${itemConditions(items, scope)}, JSONExtractArrayRaw(document, 'items'))`);
  }
  return matches;
}

/** Orders of the wanted statuses. */
export function statusConditions(statuses: OrderLeaf["statuses"], { bind }: Scope): string[] {
  if (statuses === "counting") return ["counts = 1"];
  return statuses === "any" ? [] : [`lowerUTF8(status) IN ${bind.strings(statuses)}`];
}

export function orderValue({ segments }: Property, { bind }: Scope): ValueSql {
  switch (segments.join(".")) {
    case "orderID":
      return columnValue("order_id", "string");
    case "purchaseDate":
      return columnValue("purchased_at", "date");
    case "totalAmount":
      return columnValue("toFloat64(total)", "number");
    default:
      return jsonValue("document", segments, bind);
  }
}

/** Sums are over the account's currency alone; contacts without such an order have the sum 0. */
function sumOfOrders(
  leaf: OrderLeaf,
  measure: Extract<Measure, { kind: "sum" }>,
  where: readonly string[],
  scope: Scope,
): LeafSet {
  const currency = scope.bind.string(scope.currency);
  const { having, complement } = sumHaving("sum(amount)", measure, scope);
  scope.addNote(leaf.path, "ORDERS_IN_OTHER_CURRENCIES", otherCurrencies([...where, `currency != ${currency}`], scope));
  return { set: groupedSet(summedOrders(leaf, measure, where, scope), having, scope), complement };
}

function summedOrders(
  leaf: OrderLeaf,
  measure: Extract<Measure, { kind: "sum" }>,
  where: readonly string[],
  scope: Scope,
): string {
  const ofCurrency = [...where, `currency = ${scope.bind.string(scope.currency)}`];
  return ordersOf({ leaf, where: ofCurrency, amount: amountSql(leaf, measure.of, scope) }, scope);
}

/** Counts the orders of other currencies, for an explain alone: the latest versions are read whole. */
function otherCurrencies(where: readonly string[], { account, historyAt }: Scope): string {
  const columns = ["contact", "purchased_at", "status", "counts", "currency", "total", "document", "deleted"];
  const latest = columns.map((column, index) => `latest.${index + 1} AS ${column}`).join(", ");
  const versions = `SELECT account, order_id, argMax((${columns.join(", ")}), (version, revision)) AS latest FROM orders_history WHERE account = ${account} AND at <= ${historyAt} GROUP BY account, order_id`;
  const orders =
    historyAt === undefined ? "orders_current FINAL" : `(SELECT account, order_id, ${latest} FROM (${versions}))`;
  return `SELECT sumMap([toString(currency)], [toUInt64(1)]) FROM ${orders} WHERE account = ${account} AND ${where.join(" AND ")}`;
}

/** The amount that an order adds: a member of it, or the sum of a member of its matching items. */
export function amountSql({ items }: OrderLeaf, of: readonly string[], scope: Scope): string {
  const [first, ...ofItem] = of;
  if (first !== "items") return of.join(".") === "totalAmount" ? "total" : decimalOf("document", of, scope);
  const added = `ifNull(${decimalOf("item", ofItem, scope)}, toDecimal128(0, 4))`;
  const passing = items.length === 0 ? added : `if(${itemConditions(items, scope)}, ${added}, toDecimal128(0, 4))`;
  return `arraySum(arrayMap(item -> ${passing}, JSONExtractArrayRaw(document, 'items')))`;
}

/** A member of a JSON text as a decimal of 4 places; NULL where it is none. */
export function decimalOf(json: string, segments: readonly string[], { bind }: Scope): string {
  const path = [json, ...segments.map((segment) => bind.string(segment))].join(", ");
  return `toDecimal128OrNull(JSONExtract(${path}, 'Nullable(String)'), 4)`;
}

/** All conditions on one and the same `item`. */
function itemConditions(items: readonly Property[], scope: Scope): string {
  const conditions = items.map(({ segments, condition }) =>
    conditionSql(jsonValue("item", segments, scope.bind), condition, scope),
  );
  return conditions.join(" AND ");
}

/** @param orders a query of `contact` and what `having` names. */
function groupedSet(orders: string, having: string, scope: Scope): string {
  const { from, contact } = resolvedRows(`(${orders})`, scope);
  const grouped = `SELECT ${contact} AS owner FROM ${from} GROUP BY owner HAVING ${having}`;
  return scope.addSet(`SELECT groupBitmapState(owner) FROM (${grouped})`);
}

/** Longest window of which the orders that ever lay in it are searched for first: in a longer one lie too many of all, which are grouped in their order. */
const NARROW_MS_MAX = 60 * 86_400_000;

/** Question to the orders of a past moment. */
interface PastOrders {
  /** UTC DateTime64, bound. */
  readonly historyAt: string;
  /** Conditions on the columns of an order. */
  readonly where: readonly string[];
  /** Times of purchase beyond which none passes: orders that never lay in it are not checked again. */
  readonly purchased?: Range;
  /** A decimal of 4 places that an order adds; NULL adds nothing. */
  readonly amount?: string;
}

/** A query of `contact`, and `amount` where one is asked for: the orders whose latest version up to then passes. */
function pastOrders({ historyAt, where, purchased, amount }: PastOrders, scope: Scope): string {
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
