import { resolvedRows } from "../../compile/merges.ts";
import type { Scope } from "../../compile/scope.ts";
import type { LeafSet } from "../../compile/selection.ts";
import { conditionTests } from "../../trend/conditionTests.ts";
import { itemTests } from "../../trend/itemTests.ts";
import { firstAfter, firstAt, type Points } from "../../trend/points.ts";
import { ALWAYS, type RowPoints, type RowTests, rowCodes, together, windowTest } from "../../trend/rowCodes.ts";
import { VERSION_POINTS, versionsSql } from "../../trend/versions.ts";
import type { CartLeaf } from "./cart.ts";
import { CHANGED_AT, cartValue, isEverybodyElse } from "./compile.ts";

/** Contacts whose cart has lines, has not expired at the point and passes all conditions; or those whose cart has become empty. */
export function cartTrend(leaf: CartLeaf, scope: Scope, points: Points): LeafSet {
  const carts = points.isRecorded ? pastCarts(scope, points) : presentCarts(scope);
  const isFull = leaf.state === "nonEmpty" || isEverybodyElse(leaf);
  const state = isFull ? fullTest(scope, points) : emptyTest(scope, points);
  const tests = together({ where: [], points: carts.points }, state, matchesOf(leaf, scope, points));
  const codes = rowCodes(tests.points, points);
  const sql = `SELECT owner, ${codes} AS codes FROM (${carts.sql}) WHERE ${tests.where.join(" AND ")}`;
  return { set: points.addRows(sql), complement: isEverybodyElse(leaf) };
}

function fullTest(scope: Scope, points: Points): RowTests {
  return { where: ["lines > 0"], points: { ...ALWAYS.points, end: [expiresAt(scope, points)] } };
}

function emptyTest(scope: Scope, points: Points): RowTests {
  return { ...ALWAYS, points: { ...ALWAYS.points, first: [`if(lines = 0, toInt32(0), ${expiresAt(scope, points)})`] } };
}

/** The first point at which the cart has expired. */
function expiresAt(scope: Scope, points: Points): string {
  const first = firstAt("assumeNotNull(expires_at)", points, scope.bind);
  return `if(isNull(expires_at), toInt32(${points.end}), ${first})`;
}

interface Carts {
  readonly sql: string;
  readonly points: RowPoints;
}

const COLUMNS = ["lines", "total", "expires_at", "document"];

function presentCarts(scope: Scope): Carts {
  const current = `(SELECT * FROM carts_current FINAL WHERE account = ${scope.account} AND deleted = 0${scope.within})`;
  const { from, contact } = resolvedRows(current, scope);
  return { sql: `SELECT ${contact} AS owner, ${COLUMNS.join(", ")} FROM ${from}`, points: ALWAYS.points };
}

function pastCarts(scope: Scope, points: Points): Carts {
  const { from, contact } = resolvedRows("carts_history", scope);
  const columns = [`${contact} AS owner`, ...COLUMNS, "version", "revision"];
  const where = [`account = ${scope.account}${scope.within}`];
  const history = { from, where, columns, key: "owner", order: "version, revision" };
  return { sql: versionsSql(history, scope, points), points: VERSION_POINTS };
}

function matchesOf({ where, items, within }: CartLeaf, scope: Scope, points: Points): RowTests {
  const conditions = where.map((property) =>
    conditionTests(cartValue(property, scope), property.condition, scope, points),
  );
  return together(changedTest(within, scope, points), ...conditions, itemTests(items, scope, points));
}

/** Tests the last change up to the point; nobody asks for it without a window. */
function changedTest(within: CartLeaf["within"], scope: Scope, points: Points): RowTests {
  if (within === undefined) return ALWAYS;
  const instant = `assumeNotNull(${CHANGED_AT})`;
  const known: RowTests = { ...ALWAYS, where: [`isNotNull(${CHANGED_AT})`] };
  const first = points.isRecorded ? [] : [firstAfter(instant, points, scope.bind)];
  return together(
    known,
    { where: [], points: { ...ALWAYS.points, first } },
    windowTest(instant, within, scope, points),
  );
}
