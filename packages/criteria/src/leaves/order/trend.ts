import { comparisonSql, sumHaving } from "../../compile/counting.ts";
import { resolvedRows } from "../../compile/merges.ts";
import type { Scope } from "../../compile/scope.ts";
import type { LeafSet } from "../../compile/selection.ts";
import type { Measure } from "../../criteria.ts";
import { conditionTests } from "../../trend/conditionTests.ts";
import { itemCodes, itemTests } from "../../trend/itemTests.ts";
import { firstAfter, type Points } from "../../trend/points.ts";
import { ALWAYS, type RowPoints, type RowTests, rowCodes, together, windowTest } from "../../trend/rowCodes.ts";
import { weightedSteps } from "../../trend/steps.ts";
import { VERSION_POINTS, versionsSql } from "../../trend/versions.ts";
import { amountSql, decimalOf, orderValue, statusConditions } from "./compile.ts";
import type { OrderLeaf } from "./order.ts";

/** Contacts by the number or the sum of their orders that pass, at each point as they were then. */
export function orderTrend(leaf: OrderLeaf, scope: Scope, points: Points): LeafSet {
  const orders = points.isRecorded ? pastOrders(scope, points) : presentOrders(scope, points);
  const tests = together({ where: ["deleted = 0"], points: orders.points }, matchesOf(leaf, scope, points));
  const { measure } = leaf;
  if (measure.kind === "sum") return sumTrend(leaf, measure, { orders, tests }, scope, points);
  const { holds, complement } = comparisonSql(measure.comparison);
  const items = itemTests(leaf.items, scope, points);
  const all = together(tests, items);
  const sql = `SELECT owner, ${rowCodes(all.points, points)} AS codes FROM (${orders.sql}) WHERE ${all.where.join(" AND ")}`;
  return { set: points.addRows(sql, holds), complement };
}

interface Orders {
  /** A query of `owner` and the columns of an order. */
  readonly sql: string;
  readonly points: RowPoints;
}

const COLUMNS = ["order_id", "purchased_at", "status", "counts", "currency", "total", "document", "deleted"];

function presentOrders(scope: Scope, points: Points): Orders {
  const current = `(SELECT * FROM orders_current FINAL WHERE account = ${scope.account} AND purchased_at < ${points.last}${scope.within})`;
  const { from, contact } = resolvedRows(current, scope);
  const first = [firstAfter("purchased_at", points, scope.bind)];
  return { sql: `SELECT ${contact} AS owner, ${COLUMNS.join(", ")} FROM ${from}`, points: { ...ALWAYS.points, first } };
}

/** An order may have moved from contact to contact: all of its versions are checked. */
function pastOrders(scope: Scope, points: Points): Orders {
  const versions = versionsSql(
    {
      from: "orders_history",
      where: [`account = ${scope.account}`],
      columns: ["contact", ...COLUMNS, "version", "revision"],
      key: "order_id",
      order: "version, revision",
    },
    scope,
    points,
  );
  const { from, contact } = resolvedRows(`(SELECT * FROM (${versions}) WHERE seen < until${scope.within})`, scope);
  return { sql: `SELECT ${contact} AS owner, ${COLUMNS.join(", ")}, seen, until FROM ${from}`, points: VERSION_POINTS };
}

/** Tests of the order itself. */
function matchesOf(leaf: OrderLeaf, scope: Scope, points: Points): RowTests {
  const where = leaf.where.map((property) =>
    conditionTests(orderValue(property, scope), property.condition, scope, points),
  );
  const status = { ...ALWAYS, where: statusConditions(leaf.statuses, scope) };
  return together(status, windowTest("purchased_at", leaf.within, scope, points), ...where);
}

function sumTrend(
  leaf: OrderLeaf,
  measure: Extract<Measure, { kind: "sum" }>,
  { orders, tests }: { readonly orders: Orders; readonly tests: RowTests },
  scope: Scope,
  points: Points,
): LeafSet {
  const where = [...tests.where, `currency = ${scope.bind.string(scope.currency)}`].join(" AND ");
  const pairs = pairsOf(leaf, measure.of, tests, scope, points);
  const weighted = `SELECT owner, ${pairs} AS pairs FROM (${orders.sql}) WHERE ${where}`;
  const { having, complement } = sumHaving("sum", measure, scope);
  const codes = weightedSteps("groupArrayArray(pairs)", () => having);
  return { set: points.addRows(`SELECT owner, ${codes} AS codes FROM (${weighted}) GROUP BY owner`), complement };
}

/** Codes with what they add: the amount of the order, or of each of its items. */
function pairsOf(leaf: OrderLeaf, of: readonly string[], tests: RowTests, scope: Scope, points: Points): string {
  const [first, ...ofItem] = of;
  const weigh = (codes: string, amount: string) =>
    `arrayMap(code -> (code, if(bitAnd(code, 1) = 0, 1, -1) * toDecimal256(ifNull(${amount}, 0), 10)), ${codes})`;
  if (first !== "items") {
    const items = itemTests(leaf.items, scope, points);
    const all = together(tests, items);
    const codes = `if(${["1", ...items.where].join(" AND ")}, ${rowCodes(all.points, points)}, emptyArrayInt32())`;
    return weigh(codes, amountSql(leaf, of, scope));
  }
  const codes = itemCodes(leaf.items, tests.points, scope, points);
  const own = weigh(codes, decimalOf("item", ofItem, scope));
  return `arrayFlatten(arrayMap(item -> ${own}, JSONExtractArrayRaw(document, 'items')))`;
}
