import { lanes } from "@headwater/contracts";

/** A receipt of a write of `/v2` is given when it is applied; its offset is a position in the outbox. */
export function isWriteOfV2(stream: number): boolean {
  return stream === lanes.v2;
}
