import type { OutgoingMail } from "../frozen/handover.ts";
import type { SlotsRun } from "./slots.ts";

/** Returns how a message waits for a connection: behind 50 of a campaign an order confirmation would be late. */
export function turnOf({ classification }: Pick<OutgoingMail, "classification">): SlotsRun {
  return { isUrgent: classification === "transactional" };
}
