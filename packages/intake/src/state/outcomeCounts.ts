import type { Outcome } from "@headwater/records/fold/outcome";
import type { OutcomeCount } from "../accounting/accounting.ts";
import { isCopy, isTriedAgain, type LoggedRecord } from "./loggedRecord.ts";

const HOUR_MS = 3_600_000;

/**
 * Counts what became of a batch's records, by account, hour and operation; those that were rejected or parked are counted by their
 * own rows. A parked record that comes again is no new one: only its end is counted, and only once.
 * @param duplicates records that were dealt with before, by index.
 */
export function toOutcomeCounts(
  records: readonly LoggedRecord[],
  outcomes: readonly Outcome[],
  duplicates: ReadonlySet<number>,
): OutcomeCount[] {
  const counts = new Map<string, { -readonly [Member in keyof OutcomeCount]: OutcomeCount[Member] }>();
  records.forEach(({ account, operation, record }, index) => {
    const isCounted = duplicates.has(index) && isCopy(record);
    const kind = outcomes[index]?.kind;
    if (isCounted ? isTriedAgain(record) : kind !== "applied" && kind !== "skipped") return;
    const hour = hourOf(record.receivedAt);
    const key = `${account.number} ${hour} ${operation.name}`;
    const row = counts.get(key) ?? newCount({ account: account.number, hour, operation: operation.name });
    counts.set(key, row);
    if (isCounted) row.copies += 1;
    else if (kind === "applied") row.applied += 1;
    else row.skipped += 1;
  });
  return [...counts.values()];
}

/** Hours since 1970. */
export function hourOf(timeMs: number): number {
  return Math.floor(timeMs / HOUR_MS);
}

function newCount(key: Pick<OutcomeCount, "account" | "hour" | "operation">) {
  return { ...key, applied: 0, skipped: 0, copies: 0 };
}
