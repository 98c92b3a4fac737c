import type { Receipt, ReceiptPart } from "@headwater/contracts";
import type { OpenOffset } from "@headwater/stores";

/**
 * A record may be applied before its writer hears that it was written, and clocks differ: so much later than the row was looked at
 * last a receipt may have been made and still be believed.
 */
const ACKED_LATER_MS_MAX = 2_000;

/**
 * Whether a group has dealt with a part of a receipt: the stored offset is behind it, and belongs to the log that the part was
 * written to. A log that lost its tail gives offsets a second time, and until somebody adopted it the stored offset is that of its
 * former records. Whatever was dealt with was appended no later than the greatest time that is stored with the offset, and
 * acknowledged before the offset was moved, or seen to be still right, for the last time; so one clock that goes back does not do.
 */
export function hasPassed(
  row: OpenOffset | undefined,
  part: ReceiptPart,
  { ackedAt }: Pick<Receipt, "ackedAt">,
): boolean {
  if (row === undefined || row.nextOffset <= part.lastOffset) return false;
  if (part.appendedAt !== undefined && part.appendedAt > row.greatestTime) return false;
  return ackedAt === undefined || ackedAt <= row.seenAt + ACKED_LATER_MS_MAX;
}
