import type { OrderLeaf, Property } from "../criteria.ts";
import { toDecimalText } from "../decimal.ts";
import { rangeSql, windowRange } from "./clock.ts";
import { COMPARATOR_SQL, passes } from "./comparator.ts";
import { conditionSql } from "./conditionSql.ts";
import { havingSql, planCount } from "./counting.ts";
import type { LeafSet } from "./fieldLeaf.ts";
import { resolvedRows, resolvedSet } from "./merges.ts";
import type { Scope } from "./scope.ts";
import { columnValue, jsonValue, type ValueSql } from "./values.ts";

/** Contacts by the number or the sum of their orders that pass all conditions. */
export function orderLeaf(leaf: OrderLeaf, scope: Scope): LeafSet {
  const orders = ordersOf(scope);
  const where = [...orders.where, ...matchesOf(leaf, scope)].join(" AND ");
  if (leaf.measure.kind === "sum") return sumOfOrders(leaf, leaf.measure, orders.table, where, scope);
  const plan = planCount(leaf.measure.comparison);
  if (plan.having === "any") {
    const set = resolvedSet(`SELECT groupBitmapState(contact) FROM ${orders.table} WHERE ${where}`, scope);
    return { set, complement: plan.complement };
  }
  const having = havingSql("count()", plan.having, scope.bind.uint(leaf.measure.comparison.value));
  return { set: groupedSet(orders.table, where, having, scope), complement: plan.complement };
}

/** The orders as they are now, or as the latest version of each was at the past moment: of one version the last write of it. */
function ordersOf({ account, historyAt, clock, bind }: Scope): { table: string; where: string[] } {
  const seen = clock.seenOrders === undefined ? [] : [`purchased_at < ${bind.instant(clock.seenOrders)}`];
  const where = [`account = ${account}`, "deleted = 0", ...seen];
  if (historyAt === undefined) return { table: "orders_current FINAL", where };
  const columns = ["contact", "purchased_at", "status", "counts", "currency", "total", "document", "deleted"];
  const latest = columns.map((column, index) => `latest.${index + 1} AS ${column}`).join(", ");
  const versions = `SELECT account, order_id, argMax((${columns.join(", ")}), (version, revision)) AS latest FROM orders_history WHERE account = ${account} AND at <= ${historyAt} GROUP BY account, order_id`;
  return { table: `(SELECT account, order_id, ${latest} FROM (${versions}))`, where };
}

function matchesOf({ where, items, within, statuses }: OrderLeaf, scope: Scope): string[] {
  const { bind, clock } = scope;
  const matches = where.map((property) => conditionSql(orderValue(property, scope), property.condition, scope));
  if (statuses === "counting") matches.unshift("counts = 1");
  else if (statuses !== "any") matches.unshift(`lowerUTF8(status) IN ${bind.strings(statuses)}`);
  if (within !== undefined) matches.unshift(rangeSql("purchased_at", windowRange(within, clock), bind));
  if (items.length > 0) {
    const conditions = items.map(({ segments, condition }) =>
      conditionSql(jsonValue("item", segments, bind), condition, scope),
    );
    matches.push(`arrayExists(item -> ${conditions.join(" AND ")}, JSONExtractArrayRaw(document, 'items'))`);
  }
  return matches;
}

function orderValue({ segments }: Property, { bind }: Scope): ValueSql {
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
  measure: Extract<OrderLeaf["measure"], { kind: "sum" }>,
  table: string,
  where: string,
  scope: Scope,
): LeafSet {
  const { bind } = scope;
  const isTotal = measure.of.join(".") === "totalAmount";
  const path = ["document", ...measure.of.map((segment) => bind.string(segment))].join(", ");
  const amount = isTotal ? "total" : `toDecimal128OrNull(JSONExtract(${path}, 'Nullable(String)'), 4)`;
  const currency = bind.string(scope.currency);
  const complement = passes(0, { op: measure.op, value: Number(toDecimalText(measure.value)) });
  const comparison = `ifNull(sum(${amount}), 0) ${COMPARATOR_SQL[measure.op]} ${bind.decimal(measure.value)}`;
  const having = complement ? `NOT (${comparison})` : comparison;
  scope.addNote(
    leaf.path,
    "ORDERS_IN_OTHER_CURRENCIES",
    `SELECT count() FROM ${table} WHERE ${where} AND currency != ${currency}`,
  );
  return { set: groupedSet(table, `${where} AND currency = ${currency}`, having, scope), complement };
}

function groupedSet(table: string, where: string, having: string, scope: Scope): string {
  const rows = `(SELECT * FROM ${table} WHERE ${where})`;
  const { from, contact } = resolvedRows(rows, scope);
  const grouped = `SELECT ${contact} AS owner FROM ${from} GROUP BY owner HAVING ${having}`;
  return scope.addSet(`SELECT groupBitmapState(owner) FROM (${grouped})`);
}
