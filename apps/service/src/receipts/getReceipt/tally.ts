import type { Receipt, ReceiptPart } from "@headwater/contracts";

/** Outcomes that left a row or a count. */
export interface Known {
  readonly skipped: number;
  readonly rejected: number;
  readonly parked: number;
}

export interface RecordTally extends Known {
  readonly applied: number;
  readonly pending: number;
}

/**
 * Counts records by outcome: applied ones leave no row, so they are what is left. A part that its partition has not
 * passed is pending, but for the records of it that are known already.
 */
export function tallyRecords(receipt: Receipt, isPassed: (part: ReceiptPart) => boolean, known: Known): RecordTally {
  const sum = (parts: readonly ReceiptPart[]) => parts.reduce((total, { count }) => total + count, 0);
  const total = sum(receipt.parts);
  const unsettled = sum(receipt.parts.filter((part) => !isPassed(part)));
  const outcomes = known.skipped + known.rejected + known.parked;
  const applied = Math.max(0, total - unsettled - outcomes);
  return { applied, ...known, pending: Math.max(0, total - applied - outcomes) };
}

export type ReceiptState = "pending" | "applied" | "partly_rejected" | "rejected";

/** `pending` while any record is pending or parked; then by the counts. */
export function stateOf({ applied, skipped, rejected, parked, pending }: RecordTally): ReceiptState {
  if (pending + parked > 0) return "pending";
  if (rejected === 0) return "applied";
  return applied + skipped === 0 ? "rejected" : "partly_rejected";
}
