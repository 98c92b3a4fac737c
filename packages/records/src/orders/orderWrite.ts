import { toJson, type Version } from "@headwater/contracts";
import type { Origin } from "../contacts/contactIndex.ts";
import { effectOf } from "../contacts/writeEffect.ts";
import type { Order } from "../fold/foldState.ts";
import { readsAlike } from "./readsAlike.ts";

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
  for (const [name, given] of Object.entries(members)) {
    if (given === undefined) continue;
    if (isBeforeDelete(order, version)) {
      tally.superseded++;
      continue;
    }
    const written = { value: toJson(given), version };
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
