import { type OffsetKey, OffsetMoved, type OpenOffset } from "@headwater/postgres/streams/streamOffsets";
import type {
  BatchContext,
  NextPosition,
  StartOf,
  StreamBatch,
  StreamHandler,
  TopicPartition,
} from "@headwater/topics";
import { reopened, storedMark } from "../streams/offsets.ts";
import { traceFrames } from "../streams/traceFrames.ts";
import { finishPending } from "./finishPending.ts";
import { type Attempt, quarantineRange } from "./quarantineRange.ts";
import { createRangeBatcher, type RangeBatcher } from "./rangeBatcher.ts";
import { RangeGone } from "./sink.ts";
import type { SinkHandlerOptions } from "./sinkOptions.ts";
import { type NewRange, writeRanges } from "./writeRanges.ts";

const WAIT_MS = 25;

interface Writing extends SinkHandlerOptions {
  readonly batcher: RangeBatcher<NewRange>;
}

/**
 * Writes ranges of the log into ClickHouse, each exactly once: the ranges and their token are fixed in Postgres first, the
 * insert carries the token, and the offsets move by compare-and-set. A range that was found pending is inserted again
 * under the same token and then counted, for a token may be logged without its rows.
 */
export function createSinkHandler(input: SinkHandlerOptions): StreamHandler {
  const { ranges, sink } = input;
  const batcher = createRangeBatcher<NewRange>({ write: (ready) => writeRanges(input, ready), bytesOf });
  const options: Writing = { ...input, batcher };
  const partitions = new Map<string, { row: OpenOffset; readonly key: OffsetKey }>();
  const know = (at: TopicPartition, row: OpenOffset) => {
    partitions.set(nameOf(at), { key: ranges.keyOf(at), row });
    return row;
  };
  const read = async (at: TopicPartition) => know(at, await ranges.read(ranges.keyOf(at), 0));
  return reopened({
    async start(at: StartOf) {
      const row = know(at, await ranges.open(at));
      const mark = (await sink.followed?.(row)) ?? storedMark(row);
      return { fromOffset: row.nextOffset, mark, generation: row.generation };
    },
    held: (at, reason) => ranges.held(at, reason),
    async verified(at) {
      await ranges.verified(at);
      const known = partitions.get(nameOf(at));
      if (known === undefined) return;
      // As it is before the row is read: a range may be stored meanwhile.
      const { nextOffset: reached } = known.row;
      const { nextOffset } = await ranges.read(known.key, 0);
      if (nextOffset < reached) throw new OffsetMoved("ClickHouse is being rebuilt from an earlier offset");
    },
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

function nameOf({ topic, partition }: TopicPartition): string {
  return `${topic}/${partition}`;
}

function bytesOf({ blocks }: NewRange): number {
  return blocks.reduce((sum, { body }) => sum + body.length, 0);
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
async function writeRange(options: Writing, provided: Omit<Step, "attempt">): Promise<NextPosition | undefined> {
  const attempt: Attempt = { frames: [], pending: provided.row.pending };
  const step = { ...provided, attempt };
  await options.witness?.expectIntact();
  try {
    return await (provided.row.pending === null
      ? writeNew(options, step)
      : resume(options, step, provided.row.pending));
  } catch (error) {
    await quarantineRange(options, { ...step, error });
    return undefined;
  }
}

async function writeNew(options: Writing, step: Step): Promise<NextPosition | undefined> {
  const { sink, batcher, clock } = options;
  const { key, row, batch, attempt } = step;
  const announced = batcher.announce();
  try {
    const readable = await sink.readable(batch);
    const frames = batch.frames.filter(({ offset }) => offset < readable);
    const last = frames[frames.length - 1];
    if (last === undefined) return { kind: "wait", ms: WAIT_MS };
    attempt.frames = frames;
    const startedAtMs = clock.nowMs();
    const blocks = await sink.blocks(key, frames, new Set());
    const to = last.offset + 1;
    if (!(await announced.write({ attempt, key, from: row.nextOffset, to, frames, blocks }))) return undefined;
    traceFrames(sink.group, frames, { startedAtMs, below: to });
    return { kind: "next", offset: to };
  } finally {
    announced.withdraw();
  }
}

async function resume(
  options: Writing,
  { key, row, batch, attempt }: Step,
  pending: NonNullable<OpenOffset["pending"]>,
): Promise<NextPosition | undefined> {
  const frames = batch.frames.filter(({ offset }) => offset < pending.to);
  if ((frames[frames.length - 1]?.offset ?? -1) + 1 < pending.to) return { kind: "wait", ms: WAIT_MS };
  attempt.frames = frames;
  const offset = await finishPending(options, { key, from: row.nextOffset, pending, frames, attempt });
  return offset === undefined ? undefined : { kind: "next", offset };
}
