import { isObject, type Json, sameJson } from "@headwater/contracts";
import { exact } from "../fold/decimals.ts";
import { isSameTime } from "../members/sameTime.ts";

const DECIMALS: ReadonlySet<string> = new Set(["tax", "shippingAndHandling", "totalAmount"]);

/** Returns whether an order shows two values of a member alike: times as instants in UTC, decimals by their digits. */
export function readsAlike(name: string, [left, right]: readonly [Json, Json], timezone: string): boolean {
  if (name === "purchaseDate") return isSameTime(left, right, timezone);
  if (DECIMALS.has(name)) return exact(left) === exact(right);
  if (name === "discountApplication") return sameJson(withExact(left, ["amount"]), withExact(right, ["amount"]));
  return name === "items" && sameJson(itemsOf(left), itemsOf(right));
}

function itemsOf(items: Json): Json {
  if (!Array.isArray(items)) return items;
  return items.map((item) => (isObject(item) ? withExact({ qty: 1, ...item }, ["itemPrice", "salePrice"]) : item));
}

function withExact(value: Json, decimals: readonly string[]): Json {
  if (!isObject(value)) return value;
  const entries = Object.entries(value);
  return Object.fromEntries(entries.map(([name, one]) => [name, decimals.includes(name) ? exact(one) : one]));
}
