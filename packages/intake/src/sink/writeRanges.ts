import { classifyFailure, instantOf } from "@headwater/kernel";
import type { OffsetKey } from "@headwater/postgres/streams/streamOffsets";
import type { LogFrame } from "@headwater/topics";
import { markToStore } from "../streams/offsets.ts";
import { type Claim, insertBlocks } from "./insertBlocks.ts";
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
 * When that does not end well, or another owner comes, each partition is detached from the claim before anybody else sends its rows under
 * the token, and the claim can no longer be finished as a whole: an insert under a token that ClickHouse logged without the rows, or with
 * those of one partition, is answered as if it had stored them.
 * @returns false when the partitions' rows are to be read again: one of them moved on, is detached, or holds what ClickHouse refuses.
 */
export async function writeRanges(options: SinkHandlerOptions, ranges: readonly NewRange[]): Promise<boolean> {
  if (ranges.every(isWithoutRows)) return passBy(options, ranges);
  return writeUnderOneClaim(options, ranges);
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

async function passBy({ ranges: stored }: SinkHandlerOptions, ranges: readonly NewRange[]): Promise<boolean> {
  const steps = ranges.map(({ key, from, to, frames }) => ({
    key,
    from,
    to: { nextOffset: to, greatestTime: greatestTimeOf(frames), mark: markToStore(frames, to) },
  }));
  return stored.advance(steps);
}

/** Writes ranges under one claim and one token, which their writer alone may finish without counting what is stored. */
async function writeUnderOneClaim(options: SinkHandlerOptions, ranges: readonly NewRange[]): Promise<boolean> {
  const { ranges: stored, sink, clock, newToken } = options;
  const shared = { token: newToken(), transform: sink.transform };
  const claimedAt = instantOf(clock);
  if (!(await stored.claimShared(ranges, shared))) return false;
  for (const { attempt, to } of ranges) attempt.pending = { ...shared, to, attempt: 0, shared: true };
  if (!(await isInserted(options, { token: shared.token, claimedAt }, ranges))) return false;
  // Before Postgres moves the offsets: what it stores as written is what ClickHouse has to hold from then on.
  await options.witness?.mark(ranges);
  const seen = ranges.map(({ key, frames, to }) => ({ key, seen: seenOf(frames, to) }));
  return stored.finishShared(shared.token, seen);
}

/** @returns false when ClickHouse refuses rows, and it is not known of which of several ranges. @throws when it refuses those of a single one. */
async function isInserted(options: SinkHandlerOptions, claim: Claim, ranges: readonly NewRange[]): Promise<boolean> {
  try {
    await insertBlocks(options, claim, joinBlocks(options.sink.firstTables, ranges));
    return true;
  } catch (error) {
    if (ranges.length === 1 || classifyFailure(error) !== "poison") throw error;
    const fields = { err: error, partitions: ranges.length };
    options.logger.warn(fields, "shared insert refused, inserting each partition apart");
    return false;
  }
}

/** Returns one block a table, those of the first tables in their order and before the others. */
function joinBlocks(firstTables: readonly string[], ranges: readonly NewRange[]): readonly SinkBlock[] {
  const blocks = ranges.flatMap((range) => range.blocks);
  const joined = [...Map.groupBy(blocks, ({ table }) => table).values()].flatMap((same) => {
    const [first, ...others] = same;
    if (first === undefined) return [];
    // A single range is written as it was made, without a copy of its bytes.
    if (others.length === 0) return [first];
    const body = Buffer.concat(same.map((block) => block.body));
    return [{ ...first, body, rows: same.reduce((sum, { rows }) => sum + rows, 0) }];
  });
  return joined.sort((one, other) => firstTables.indexOf(one.table) - firstTables.indexOf(other.table));
}

/** The greatest append time of a range, also where the broker's clock went back: freshness and receipts are derived from it. */
function greatestTimeOf(frames: readonly LogFrame[]): number {
  return frames.reduce((greatest, { timeMs }) => Math.max(greatest, timeMs), 0);
}
