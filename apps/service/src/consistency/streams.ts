import { lanes } from "@headwater/contracts";
import { catalogue } from "@headwater/topics";

/** Consumer groups as `stream_offsets` names them. */
export const STATE_GROUP = "state";
export const ACTIVITIES_GROUP = "activities";
export const HISTORY_GROUP = "history";
export const ACCOUNTING_GROUP = "accounting";
/** Makes products of what orders and carts say of them. */
export const PRODUCTS_GROUP = "products";
export const PRODUCT_TOPICS: readonly string[] = ["changes.orders", "changes.carts"];
export const STREAM_GROUPS: readonly string[] = [STATE_GROUP, ACTIVITIES_GROUP, HISTORY_GROUP, PRODUCTS_GROUP];

const TOPIC_OF_LANE: ReadonlyMap<number, string> = new Map([
  [lanes["intake.records"], "intake.records"],
  [lanes["intake.bulk"], "intake.bulk"],
]);

export const INTAKE_TOPICS: readonly string[] = [...TOPIC_OF_LANE.values()];

/** What the outbox is published on and `history` reads. */
export const CHANGE_TOPICS: readonly string[] = catalogue
  .map(({ name }) => name)
  .filter((name) => name.startsWith("changes."));

/** A receipt of a write of `/v2` is given when it is applied; its offset is a place in the outbox. */
export function isWriteOfV2(lane: number): boolean {
  return lane === lanes.v2;
}

/** @returns undefined for a lane that is no topic. */
export function topicOfLane(lane: number): string | undefined {
  return TOPIC_OF_LANE.get(lane);
}
