import { isObject, type Json, sameJson, toJson, type Version } from "@headwater/contracts";
import type { Origin } from "../contacts/contactIndex.ts";
import { effectOf } from "../contacts/writeEffect.ts";
import { exact } from "../fold/decimals.ts";
import type { Order } from "../fold/foldState.ts";
import { isSameTime } from "../members/sameTime.ts";

const DECIMALS: ReadonlySet<string> = new Set(["tax", "shippingAndHandling", "totalAmount"]);

export interface OrderTally {
  changed: number;
  unchanged: number;
  superseded: number;
}

/** Returns whether nothing but its tombstone is left: a status alone that came since does not bring it back, its purchase does. */
export function isDeletedOrder({ deleted, members }: Order): boolean {
  return deleted !== undefined && !members.has("purchaseDate");
}

/**
 * Writes members one by one: absent = unchanged, null removes, a lower version never overwrites. A value in another spelling is stored as it
 * came, and changes nothing.
 */
export function writeOrderMembers(
  order: Order,
  members: Readonly<Record<string, unknown>>,
  { version, account }: Pick<Origin, "version" | "account">,
): OrderTally {
  const tally: OrderTally = { changed: 0, unchanged: 0, superseded: 0 };
  for (const [name, input] of Object.entries(members)) {
    if (input === undefined) continue;
    if (isBeforeDelete(order, version)) {
      tally.superseded++;
      continue;
    }
    const written = { value: toJson(input), version };
    const current = order.members.get(name);
    const effect = effectOf(current, written);
    const isSpelling =
      effect === "changed" &&
      current !== undefined &&
      readsAlike(name, [current.value, written.value], account.settings.timezone);
    tally[isSpelling ? "unchanged" : effect]++;
    if (effect !== "superseded") order.members.set(name, written);
  }
  return tally;
}

/** Removes what was written up to the version; later writes stay. A delete below an earlier one changes nothing. */
export function markOrderDeleted(order: Order, version: Version): void {
  if (isBeforeDelete(order, version)) return;
  order.deleted = version;
  for (const [name, member] of order.members) if (member.version <= version) order.members.delete(name);
}

function isBeforeDelete({ deleted }: Order, version: Version): boolean {
  return deleted !== undefined && version <= deleted;
}

/** Returns whether an order shows two values of a member alike: times as instants in UTC, decimals by their digits. */
function readsAlike(name: string, [left, right]: readonly [Json, Json], timezone: string): boolean {
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
