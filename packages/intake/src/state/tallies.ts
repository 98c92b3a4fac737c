import type { Outcome } from "@headwater/records/fold/outcome";
import { isCopy, isTriedAgain, type PlacedRecord, requestOf } from "./placedRecord.ts";

/** Counts of a request's skips and warnings within one batch of one partition. */
export interface RequestCounts {
  readonly account: number;
  readonly requestId: string;
  readonly skips: Record<string, number>;
  readonly warnings: Record<string, number>;
}

/**
 * Counts for requests that had skips or warnings; a request without either has no row.
 * @param duplicates records that were dealt with before, by index: what became of them is counted already, and a receipt
 * counts every record once however often it stands in the log.
 */
export function toRequestCounts(
  records: readonly PlacedRecord[],
  outcomes: readonly Outcome[],
  duplicates: ReadonlySet<number>,
): RequestCounts[] {
  const counts = new Map<string, RequestCounts>();
  records.forEach(({ record, account }, index) => {
    const outcome = outcomes[index];
    const isCounted = duplicates.has(index) && isCopy(record);
    if (outcome === undefined || isCounted || outcome.kind === "rejected" || isTriedAgain(record)) return;
    const warnings = [...outcome.warnings];
    if (outcome.kind === "applied" && warnings.length === 0) return;
    const { requestId } = requestOf(record.id);
    const key = `${account.number}:${requestId}`;
    const row = counts.get(key) ?? { account: account.number, requestId, skips: {}, warnings: {} };
    counts.set(key, row);
    if (outcome.kind === "skipped") row.skips[outcome.code] = (row.skips[outcome.code] ?? 0) + 1;
    for (const code of warnings) row.warnings[code] = (row.warnings[code] ?? 0) + 1;
  });
  return [...counts.values()];
}
