import { classifyFailure, momentOf } from "@headwater/kernel";
import type { OffsetKey, PendingRange } from "@headwater/stores/streams";
import type { LogFrame } from "@headwater/topics";
import { markToStore } from "../offsets.ts";
import { insertBlocks } from "./insertBlocks.ts";
import type { Attempt } from "./quarantineRange.ts";
import type { RangeSeen } from "./ranges.ts";
import type { SinkBlock } from "./sink.ts";
import type { SinkHandlerOptions } from "./sinkOptions.ts";

/** A range that nobody has claimed yet, with its rows. */
export interface NewRange {
  readonly attempt: Attempt;
  readonly key: OffsetKey;
  readonly from: number;
  readonly to: number;
  readonly frames: readonly LogFrame[];
  readonly blocks: readonly SinkBlock[];
}

/**
 * Writes ranges of different partitions: one claim, one insert a table, one step forward, whatever their number. Their rows share a token.
 * When that does not end well, each partition is detached from the claim before it sends its own rows under the token, and the claim
 * can no longer be finished as a whole: ClickHouse may then hold the rows of one partition under it and drop those of the others.
 * @returns false when the partitions' rows are to be read again: one of them moved on, is detached, or holds what ClickHouse refuses.
 */
export async function writeRanges(options: SinkHandlerOptions, ranges: readonly NewRange[]): Promise<boolean> {
  const [first] = ranges;
  if (first === undefined) return true;
  if (ranges.every(isWithoutRows)) return passBy(options, ranges);
  return ranges.length === 1 ? writeAlone(options, first) : writeTogether(options, ranges);
}

/** Returns what is stored of a range's frames when the offset moves behind them. */
export function seenOf(frames: readonly LogFrame[], nextOffset: number): RangeSeen {
  return {
    lastRecordId: null,
    greatestTime: greatestTimeOf(frames),
    outboxPosition: 0,
    mark: markToStore(frames, nextOffset),
  };
}

function isWithoutRows({ blocks }: NewRange): boolean {
  return blocks.every(({ rows }) => rows === 0);
}

async function passBy({ ranges: stored, sink }: SinkHandlerOptions, ranges: readonly NewRange[]): Promise<boolean> {
  const steps = ranges.map(({ key, from, to, frames }) => ({
    key,
    from,
    to: { nextOffset: to, greatestTime: greatestTimeOf(frames), mark: markToStore(frames, to) },
  }));
  if (!(await stored.advance(steps))) return false;
  await sink.done(endsOf(ranges));
  return true;
}

async function writeAlone(options: SinkHandlerOptions, range: NewRange): Promise<boolean> {
  const { key, from, to, frames, blocks, attempt } = range;
  const { ranges, sink, clock, newToken } = options;
  const pending: PendingRange = { to, token: newToken(), attempt: 0, transform: sink.transform, shared: false };
  const claimedAt = momentOf(clock);
  if (!(await ranges.claim(key, from, pending))) return false;
  attempt.pending = pending;
  await insertBlocks(options, { token: pending.token, claimedAt }, blocks);
  if (!(await ranges.finish(key, pending.token, seenOf(frames, to)))) return false;
  await sink.done(endsOf([range]));
  return true;
}

async function writeTogether(options: SinkHandlerOptions, ranges: readonly NewRange[]): Promise<boolean> {
  const { ranges: stored, sink, clock, logger, newToken } = options;
  const token = newToken();
  const claimedAt = momentOf(clock);
  if (!(await stored.claimShared(ranges, { token, transform: sink.transform }))) return false;
  try {
    await insertBlocks(options, { token, claimedAt }, joinBlocks(sink.firstTables, ranges));
  } catch (error) {
    if (classifyFailure(error) !== "poison") throw error;
    logger.warn({ err: error, partitions: ranges.length }, "shared insert refused, inserting each partition apart");
    return false;
  }
  const seen = ranges.map(({ key, frames, to }) => ({ key, seen: seenOf(frames, to) }));
  if (!(await stored.finishShared(token, seen))) return false;
  await sink.done(endsOf(ranges));
  return true;
}

function endsOf(ranges: readonly NewRange[]) {
  return ranges.map(({ key, to }) => ({ at: key, below: to }));
}

/** Returns one block a table, those of the first tables in their order and before the others. */
function joinBlocks(firstTables: readonly string[], ranges: readonly NewRange[]): readonly SinkBlock[] {
  const blocks = ranges.flatMap((range) => range.blocks);
  const joined = [...Map.groupBy(blocks, ({ table }) => table).values()].flatMap((same) => {
    const [first] = same;
    if (first === undefined) return [];
    const body = Buffer.concat(same.map((block) => block.body));
    return [{ ...first, body, rows: same.reduce((sum, { rows }) => sum + rows, 0) }];
  });
  return joined.sort((one, other) => firstTables.indexOf(one.table) - firstTables.indexOf(other.table));
}

/** The greatest append time of a range, also where the broker's clock went back: freshness and receipts are derived from it. */
function greatestTimeOf(frames: readonly LogFrame[]): number {
  return frames.reduce((greatest, { timeMs }) => Math.max(greatest, timeMs), 0);
}
