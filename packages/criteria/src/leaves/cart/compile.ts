import { rangeSql, windowRange } from "../../compile/clock.ts";
import { conditionSql } from "../../compile/conditionSql.ts";
import { latestVersion, passes } from "../../compile/latestVersion.ts";
import { resolvedRows, resolvedSet } from "../../compile/merges.ts";
import type { Scope } from "../../compile/scope.ts";
import type { LeafSet } from "../../compile/selection.ts";
import { columnValue, jsonValue, type ValueSql } from "../../compile/values.ts";
import type { Property } from "../../criteria.ts";
import type { CartLeaf } from "./cart.ts";

/**
 * Contacts whose cart has lines, has not expired at the reference point and passes all conditions. `empty` is everybody else, with a window
 * those of them whose cart last changed in it.
 */
export function selectCarts(leaf: CartLeaf, scope: Scope): LeafSet {
  const where = matchesOf(leaf, scope);
  const complement = isEverybodyElse(leaf);
  const { account, historyAt } = scope;
  if (historyAt === undefined) {
    const current = `SELECT groupBitmapState(contact) FROM carts_current FINAL WHERE account = ${account} AND deleted = 0 AND ${where.join(" AND ")}`;
    return { set: resolvedSet(current, scope), complement };
  }
  return {
    set: scope.addSet(`SELECT groupBitmapState(owner) FROM (${pastCarts(where, historyAt, scope)})`),
    complement,
  };
}

/** Tells whether an empty cart is that of everybody without a full one: nobody's last change is asked for. */
export function isEverybodyElse({ state, within }: CartLeaf): boolean {
  return state === "empty" && within === undefined;
}

/**
 * Takes of all carts that a contact and those merged into it have had the latest up to then. A row that a merge marked as gone holds
 * the cart as it was, so it shows the time before like any other.
 */
function pastCarts(where: readonly string[], historyAt: string, scope: Scope): string {
  const tested = `SELECT contact, ${latestVersion.rankedByRevision}, ${passes(where)} FROM carts_history`;
  const rows = `(${tested} WHERE account = ${scope.account} AND at <= ${historyAt})`;
  const { from, contact } = resolvedRows(rows, scope);
  return `SELECT ${contact} AS owner FROM ${from} GROUP BY owner HAVING ${latestVersion.passes}`;
}

/** The time of the last change, as answers show it: a cart that a merge moved was not changed by it. */
export const CHANGED_AT = "parseDateTime64BestEffortOrNull(JSONExtractString(document, 'updatedAt'), 3, 'UTC')";

function matchesOf(leaf: CartLeaf, scope: Scope): string[] {
  const { where, items, within } = leaf;
  const { bind, clock } = scope;
  const isFull = `lines > 0 AND (expires_at IS NULL OR expires_at > ${bind.instant(clock.reference)})`;
  const matches = leaf.state === "nonEmpty" || isEverybodyElse(leaf) ? [isFull] : [`NOT (${isFull})`];
  if (within !== undefined) {
    const end = clock.seenOrders === undefined ? [] : [rangeSql(CHANGED_AT, { to: clock.seenOrders }, bind)];
    matches.push(
      ...[rangeSql(CHANGED_AT, windowRange(within, clock), bind), ...end].map((bound) => `ifNull(${bound}, 0)`),
    );
  }
  matches.push(...where.map((property) => conditionSql(cartValue(property, scope), property.condition, scope)));
  if (items.length === 0) return matches;
  const conditions = items.map(({ segments, condition }) =>
    conditionSql(jsonValue("line", segments, bind), condition, scope),
  );
  return [...matches, `arrayExists(line -> ${conditions.join(" AND ")}, JSONExtractArrayRaw(document, 'items'))`];
}

export function cartValue({ segments }: Property, { bind }: Scope): ValueSql {
  if (segments.join(".") !== "totalAmount") return jsonValue("document", segments, bind);
  return { ...columnValue("toFloat64(total)", "number"), exists: "total IS NOT NULL" };
}

/** Compiles how many lines the cart of a contact has. */
export function sawOfCart(_: CartLeaf, scope: Scope, contact: string): string {
  const { account, historyAt } = scope;
  const isPast = historyAt !== undefined;
  const current = `(SELECT * FROM carts_current FINAL WHERE account = ${account} AND deleted = 0)`;
  const { from, contact: owner } = resolvedRows(isPast ? "carts_history" : current, scope);
  const until = isPast ? ` AND at <= ${historyAt}` : "";
  const lines = isPast ? "argMax(lines, (version, revision))" : "max(lines)";
  return `(SELECT if(count() = 0, '', toString(${lines})) FROM ${from} WHERE account = ${account}${until} AND ${owner} = ${contact})`;
}
