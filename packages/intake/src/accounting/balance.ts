import type { AccountingKey, AccountingRange, LaterBatch, LogSeen, OffsetOf, OutcomesSeen } from "./accounting.ts";

/** Records of one account, operation and hour: what the log holds, and what became of it. */
export interface AccountingLine extends AccountingKey {
  /** Records in the log, each counted once however often it stands there. */
  readonly accepted: number;
  readonly applied: number;
  readonly skipped: number;
  readonly rejected: number;
  readonly parked: number;
  /** Accepted, and lost by the log before it was dealt with; an operator has adopted the log as it is. */
  readonly lost: number;
  /** Records in the log without an outcome yet. */
  readonly pending: number;
}

type Line = { -readonly [Member in keyof AccountingLine]: AccountingLine[Member] };

/** Returns whether the count of the log has not yet reached the positions up to which outcomes are known. */
export function isBehind(outcomes: Pick<OutcomesSeen, "offsets">, log: Pick<LogSeen, "offsets">): boolean {
  return outcomes.offsets.some((seen) => (positionOf(log.offsets, seen)?.nextOffset ?? 0) < seen.nextOffset);
}

/**
 * Lines by hour and operation. What is counted of the log at or behind the position the outcomes go to is pending; all that is
 * before it has an outcome. Both sides of a line come from different counts, so that they differ when a record was lost or
 * dealt with twice.
 */
export function toLines(outcomes: OutcomesSeen, log: LogSeen, range: AccountingRange): AccountingLine[] {
  const lines = new Map<string, Line>();
  const lineOf = ({ account, hour, operation }: AccountingKey): Line => {
    const key = `${account} ${hour} ${operation}`;
    const zero = { accepted: 0, applied: 0, skipped: 0, rejected: 0, parked: 0, lost: 0, pending: 0 };
    const line = lines.get(key) ?? { account, hour, operation, ...zero };
    lines.set(key, line);
    return line;
  };
  for (const row of log.counts) lineOf(row).accepted += row.records;
  for (const row of outcomes.outcomes) {
    const line = lineOf(row);
    line.accepted -= row.copies;
    line.applied += row.applied;
    line.skipped += row.skipped;
  }
  for (const row of outcomes.rejects) {
    if (row.rejected + row.parked === 0) continue;
    const line = lineOf(row);
    line.rejected += row.rejected;
    line.parked += row.parked;
  }
  for (const row of outcomes.lost) lineOf(row).lost += row.records;
  for (const batch of log.later) {
    const from = positionOf(outcomes.offsets, batch)?.nextOffset ?? 0;
    for (const { records, ...key } of recordsFrom(batch, from)) {
      if (isIn(key, range)) lineOf(key).pending += records;
    }
  }
  return [...lines.values()].sort(byHour);
}

/** Every record that was accepted has exactly one position. */
export function isBalanced({ accepted, applied, skipped, rejected, parked, lost, pending }: AccountingLine): boolean {
  return accepted === applied + skipped + rejected + parked + lost + pending;
}

function recordsFrom({ firstOffset, counts, frames }: LaterBatch, from: number) {
  const whole = counts.map(([account, hour, operation, records]) => ({ account, hour, operation, records }));
  if (frames === null) return whole;
  const left = whole.map((count) => ({ ...count, records: 0 }));
  for (const [offset, , inFrame] of frames) {
    if (firstOffset + offset < from) continue;
    for (const [index, records] of inFrame) {
      const count = left[index];
      if (count !== undefined) count.records += records;
    }
  }
  return left.filter(({ records }) => records > 0);
}

function isIn({ account, hour }: AccountingKey, range: AccountingRange): boolean {
  return (range.account === undefined || range.account === account) && hour >= range.from && hour < range.to;
}

function positionOf(offsets: readonly OffsetOf[], at: Omit<OffsetOf, "nextOffset">): OffsetOf | undefined {
  return offsets.find(({ topic, partition }) => topic === at.topic && partition === at.partition);
}

function byHour(a: AccountingLine, b: AccountingLine): number {
  return a.hour - b.hour || a.account - b.account || (a.operation < b.operation ? -1 : 1);
}
