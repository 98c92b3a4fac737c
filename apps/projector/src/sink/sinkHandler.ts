import { ageMs, type Clock, HeadwaterError, type Logger, type Moment, momentOf } from "@headwater/kernel";
import type { OffsetKey, OpenOffset, PendingRange } from "@headwater/stores/streams";
import type { BatchContext, BatchVerdict, LogFrame, StartOf, StreamBatch, StreamHandler } from "@headwater/topics";
import { markToStore, reopened, storedMark } from "../offsets.ts";
import { traceFrames } from "../traceFrames.ts";
import { type BlockInserter, gatherInserts } from "./gatherInserts.ts";
import { type Attempt, quarantineRange, type Trials } from "./quarantineRange.ts";
import type { SinkRanges } from "./ranges.ts";
import { type Place, RangeGone, type Sink, type SinkBlock } from "./sink.ts";

/**
 * A claim that is older may belong to a process that slept: others may have finished its range so long ago that
 * ClickHouse has forgotten the token. The deduplication window (50,000 blocks a table) holds ten times this at 160 inserts a
 * second.
 */
export const CLAIM_MS_MAX = 30_000;
const WAIT_MS = 25;
/** A part is renamed right after its token was logged: what is missing then is looked for once more, later. */
const RECOUNT_AFTER_MS = 1_500;

export interface SinkHandlerOptions {
  readonly sink: Sink;
  readonly ranges: SinkRanges;
  readonly clickhouse: BlockInserter;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly newToken: () => string;
  readonly onInserted?: (rows: number) => void;
  /** Tables in which rows that ClickHouse refuses are tried one by one; without them such a range stops the process. */
  readonly trials?: Trials | undefined;
  readonly onQuarantined?: (records: number) => void;
  /** Test hook: runs between the claim and the insert. */
  readonly beforeInsert?: () => Promise<void>;
}

interface Range {
  readonly attempt: Attempt;
  readonly key: OffsetKey;
  readonly from: number;
  readonly pending: PendingRange;
  readonly frames: readonly LogFrame[];
  readonly claimedAt: Moment;
}

/**
 * Writes ranges of the log into ClickHouse, each exactly once: the range and its token are fixed in Postgres first, the
 * insert carries the token, and the offset moves by compare-and-set. A range that was found pending is inserted again
 * under the same token and then counted, for a token may be logged without its rows.
 */
export function createSinkHandler(given: SinkHandlerOptions): StreamHandler {
  const { sink, clickhouse, newToken } = given;
  const isRepeatable = sink.stored === undefined;
  const options = isRepeatable ? { ...given, clickhouse: gatherInserts(clickhouse, newToken) } : given;
  const { ranges } = options;
  const partitions = new Map<string, { row: OpenOffset; readonly key: OffsetKey }>();
  const nameOf = ({ topic, partition }: { topic: string; partition: number }) => `${topic}/${partition}`;
  const know = (at: { topic: string; partition: number }, row: OpenOffset) => {
    partitions.set(nameOf(at), { key: ranges.keyOf(at), row });
    return row;
  };
  const read = async (at: { topic: string; partition: number }) => know(at, await ranges.read(ranges.keyOf(at), 0));
  return reopened({
    async start(at: StartOf) {
      const row = know(at, await ranges.open(at));
      return { fromOffset: row.nextOffset, mark: storedMark(row) };
    },
    held: (at, reason) => ranges.held(at, reason),
    verified: (at) => ranges.verified(at),
    async batch(batch, context) {
      const key = ranges.keyOf(batch);
      const known = partitions.get(nameOf(batch));
      const row = known === undefined ? await read(batch) : known.row;
      const from = batch.frames[0]?.offset ?? row.nextOffset;
      const stale = row.nextOffset !== from;
      const verdict = stale
        ? undefined
        : await writeRange(options, { key, row, batch, context }).catch((error: unknown) =>
            goneByAnother(options, { key, row, error }),
          );
      if (verdict === undefined) {
        const again = await read(batch);
        return again.nextOffset === from ? { kind: "wait", ms: WAIT_MS } : { kind: "seek", offset: again.nextOffset };
      }
      if (verdict.kind === "next") {
        const stored = partitions.get(nameOf(batch));
        if (stored !== undefined) stored.row = { ...stored.row, nextOffset: verdict.offset, pending: null };
      }
      return verdict;
    },
  });
}

/** @returns undefined when another owner moved on from here, so that the row is read again. @throws the error otherwise. */
async function goneByAnother(
  { ranges }: SinkHandlerOptions,
  { key, row, error }: { readonly key: OffsetKey; readonly row: OpenOffset; readonly error: unknown },
): Promise<undefined> {
  if (!(error instanceof RangeGone)) throw error;
  const now = await ranges.read(key, row.nextOffset);
  if (now.nextOffset === row.nextOffset) throw error;
}

interface Step {
  readonly key: OffsetKey;
  readonly row: OpenOffset;
  readonly batch: StreamBatch;
  readonly context: BatchContext;
  /** Progress of this attempt, for the case that it meets poison. */
  readonly attempt: Attempt;
}

/** Writes a range; what of it is poison is quarantined first. @returns undefined when the stored row is to be read again. */
async function writeRange(
  options: SinkHandlerOptions,
  given: Omit<Step, "attempt">,
): Promise<BatchVerdict | undefined> {
  const attempt: Attempt = { frames: [], pending: given.row.pending };
  try {
    return await tryRange(options, { ...given, attempt });
  } catch (error) {
    await quarantineRange(options, { ...given, attempt, error });
    return undefined;
  }
}

/** @returns undefined when the stored row is not what it was thought to be: it is read again. */
async function tryRange(options: SinkHandlerOptions, step: Step): Promise<BatchVerdict | undefined> {
  const { sink } = options;
  const { row, batch, attempt } = step;
  if (row.pending !== null) return finishPending(options, step, row.pending);
  const readable = await sink.readable(batch);
  const frames = batch.frames.filter(({ offset }) => offset < readable);
  const last = frames[frames.length - 1];
  if (last === undefined) return { kind: "wait", ms: WAIT_MS };
  attempt.frames = frames;
  const startedAtMs = options.clock.nowMs();
  const verdict = await insertNew(options, step, frames, last.offset + 1);
  if (verdict?.kind === "next") traceFrames(sink.group, frames, { startedAtMs, below: verdict.offset });
  return verdict;
}

async function insertNew(
  options: SinkHandlerOptions,
  { key, row, attempt }: Step,
  frames: readonly LogFrame[],
  to: number,
): Promise<BatchVerdict | undefined> {
  const from = row.nextOffset;
  const blocks = await options.sink.blocks(key, frames, new Set());
  if (blocks.every(({ rows }) => rows === 0)) {
    const seen = { nextOffset: to, greatestTime: greatestTimeOf(frames), mark: markToStore(frames, to) };
    if (!(await options.ranges.advance(key, from, seen))) return undefined;
    await options.sink.done(key, to);
    return { kind: "next", offset: to };
  }
  const pending: PendingRange = { to, token: options.newToken(), attempt: 0, transform: options.sink.transform };
  const claimedAt = momentOf(options.clock);
  if (!(await options.ranges.claim(key, from, pending))) return undefined;
  attempt.pending = pending;
  await insertBlocks(options, { attempt, key, from, pending, frames, claimedAt }, blocks);
  return finish(options, { key, frames }, pending);
}

/** A range that was under way when its process ended, or when ClickHouse's answer was lost. */
async function finishPending(
  options: SinkHandlerOptions,
  { key, row, batch, attempt }: Step,
  pending: PendingRange,
): Promise<BatchVerdict | undefined> {
  if (pending.transform !== options.sink.transform) throw otherTransform(options.sink, pending);
  const frames = batch.frames.filter(({ offset }) => offset < pending.to);
  if ((frames[frames.length - 1]?.offset ?? -1) + 1 < pending.to) return { kind: "wait", ms: WAIT_MS };
  attempt.frames = frames;
  const claimedAt = momentOf(options.clock);
  const range: Range = { attempt, key, from: row.nextOffset, pending, frames, claimedAt };
  await insertBlocks(options, range, await options.sink.blocks(key, frames, await storedBefore(options.sink, range)));
  const last = await insertMissing(options, range);
  return last === undefined ? undefined : finish(options, range, last);
}

/** The first attempt's block is the whole range under one token; a later one holds what was missing when it began. */
async function storedBefore(sink: Sink, { key, from, pending }: Range): Promise<ReadonlySet<Place>> {
  if (pending.attempt === 0 || sink.stored === undefined) return new Set();
  return sink.stored(key, { from, to: pending.to });
}

/** Counts, and inserts what is missing under the next attempt's token. @returns undefined when another was quicker. */
async function insertMissing(options: SinkHandlerOptions, range: Range): Promise<PendingRange | undefined> {
  const { key, from, pending, frames } = range;
  const { sink } = options;
  if (sink.stored === undefined) return insertAgain(options, range, new Set());
  for (const waitMs of [0, RECOUNT_AFTER_MS]) {
    await new Promise((resolve) => setTimeout(resolve, waitMs));
    const stored = await sink.stored(key, { from, to: pending.to });
    const missing = await sink.blocks(key, frames, stored);
    if (missing.every(({ rows }) => rows === 0)) return pending;
    if (waitMs > 0) return insertAgain(options, range, stored);
  }
  return undefined;
}

async function insertAgain(options: SinkHandlerOptions, range: Range, stored: ReadonlySet<Place>) {
  const { key, pending, frames } = range;
  const next: PendingRange = { ...pending, token: options.newToken(), attempt: pending.attempt + 1 };
  if (!(await options.ranges.replace(key, pending.token, next))) return undefined;
  range.attempt.pending = next;
  options.logger.warn({ ...key, attempt: next.attempt }, "resuming a pending range: inserting the missing blocks");
  await insertBlocks(options, { ...range, pending: next }, await options.sink.blocks(key, frames, stored));
  return next;
}

async function insertBlocks(options: SinkHandlerOptions, range: Range, blocks: readonly SinkBlock[]): Promise<void> {
  await options.beforeInsert?.();
  const filled = blocks.filter(({ rows }) => rows > 0);
  for (const block of filled.filter(({ isFirst }) => isFirst)) await insertOne(options, range, block);
  await Promise.all(filled.filter(({ isFirst }) => !isFirst).map((block) => insertOne(options, range, block)));
}

async function insertOne(options: SinkHandlerOptions, range: Range, block: SinkBlock): Promise<void> {
  const { table, columns, body, rows } = block;
  refuseOldClaim(options, range);
  await options.clickhouse.insertBlock({ table, columns, body, token: `${range.pending.token}:${table}` });
  options.onInserted?.(rows);
}

function refuseOldClaim({ clock }: SinkHandlerOptions, { claimedAt }: Range): void {
  if (ageMs(clock, claimedAt) <= CLAIM_MS_MAX) return;
  const publicMessage = `This process was suspended for more than ${CLAIM_MS_MAX} ms while it held a range; the claim has expired.`;
  throw new HeadwaterError({ code: "INTERNAL_ERROR", status: 500, publicMessage });
}

async function finish(
  options: SinkHandlerOptions,
  { key, frames }: Pick<Range, "key" | "frames">,
  pending: PendingRange,
) {
  const mark = markToStore(frames, pending.to);
  const seen = { lastRecordId: null, greatestTime: greatestTimeOf(frames), outboxPosition: 0, mark };
  if (!(await options.ranges.finish(key, pending.token, seen))) return undefined;
  await options.sink.done(key, pending.to);
  return { kind: "next", offset: pending.to } as const;
}

/** The greatest append time of a range, also where the broker's clock went back: freshness and receipts are told by it. */
function greatestTimeOf(frames: readonly LogFrame[]): number {
  return frames.reduce((greatest, { timeMs }) => Math.max(greatest, timeMs), 0);
}

function otherTransform(sink: Sink, pending: PendingRange): HeadwaterError {
  const publicMessage = `A range of ${sink.group} is pending from transform ${pending.transform}, but this process runs ${sink.transform}. Let the older version finish it first.`;
  return new HeadwaterError({ code: "INTERNAL_ERROR", status: 500, publicMessage });
}
