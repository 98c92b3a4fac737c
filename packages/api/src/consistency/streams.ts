import { lanes } from "@headwater/contracts";

/** A receipt of a write of `/v2` is given when it is applied; its offset is a place in the outbox. */
export function isWriteOfV2(lane: number): boolean {
  return lane === lanes.v2;
}
