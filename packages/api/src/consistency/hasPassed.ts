import type { Receipt, ReceiptPart } from "@headwater/contracts";
import type { Loss } from "@headwater/postgres/streams/offsetMark";
import type { OpenOffset } from "@headwater/postgres/streams/streamOffsets";

/**
 * A record may be applied before its writer hears that it was written, and clocks differ: so much later than the row was checked
 * last a receipt may have been made and still be believed.
 */
const ACKED_LATER_MS_MAX = 2_000;

/** Fate of a part of a receipt in one group: dealt with, not yet, or lost by the log before it was. */
export type PartFate = "passed" | "pending" | "lost";

/**
 * Returns whether a group has dealt with a part of a receipt: the stored offset is behind it, and belongs to the log that the part was
 * written to. A log that lost its tail gives offsets a second time, and until an operator adopts it the stored offset is that of its former
 * records. All that was dealt with was appended no later than the greatest time that is stored with the offset, and acknowledged before the
 * offset was moved, or last confirmed, so that a clock that goes back does not mislead by itself.
 */
export function fateOf(
  row: OpenOffset | undefined,
  part: ReceiptPart,
  receipt: Pick<Receipt, "ackedAt" | "receivedAt">,
): PartFate {
  if (row === undefined) return "pending";
  for (const loss of row.losses) {
    if (!isOfFormerLog(loss, part, receipt)) continue;
    if (part.lastOffset < loss.appliedTo) return "passed";
    if (part.lastOffset >= loss.lostFrom) return "lost";
  }
  return hasPassed(row, part, receipt) ? "passed" : "pending";
}

function hasPassed(row: OpenOffset, part: ReceiptPart, { ackedAt }: Pick<Receipt, "ackedAt">): boolean {
  if (row.nextOffset <= part.lastOffset) return false;
  if (part.appendedAt !== undefined && part.appendedAt > row.greatestTime) return false;
  return ackedAt === undefined || ackedAt <= row.seenAt + ACKED_LATER_MS_MAX;
}

/** Receipts of older versions lack their append time: they are as old as their request. */
function isOfFormerLog(loss: Loss, part: ReceiptPart, { receivedAt }: Pick<Receipt, "receivedAt">): boolean {
  if (loss.lostTo !== null) return part.lastOffset < loss.lostTo;
  return (part.appendedAt ?? receivedAt) < loss.startsAt;
}
