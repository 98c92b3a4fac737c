import { HeadwaterError, momentOf } from "@headwater/kernel";
import type { OffsetKey, PendingRange } from "@headwater/stores/streams";
import type { LogFrame } from "@headwater/topics";
import { type Claim, insertBlocks } from "./insertBlocks.ts";
import type { Attempt } from "./quarantineRange.ts";
import type { Place, Sink } from "./sink.ts";
import type { SinkHandlerOptions } from "./sinkOptions.ts";
import { seenOf } from "./writeRanges.ts";

/** A part is renamed right after its token was logged: what is missing then is looked for once more, later. */
const RECOUNT_AFTER_MS = 1_500;

/** A range that somebody claimed, with its frames. */
export interface ClaimedRange {
  readonly key: OffsetKey;
  readonly from: number;
  readonly pending: PendingRange;
  /** All frames from the stored offset to the range's end. */
  readonly frames: readonly LogFrame[];
  readonly attempt: Attempt;
}

/**
 * Writes a range that was under way when its process ended, or when ClickHouse's answer was lost: again under the same token, and
 * then it is counted. A token may be logged without its rows, and a shared one with the rows of another partition alone.
 * @returns undefined when the stored row is to be read again.
 */
export async function finishPending(options: SinkHandlerOptions, claimed: ClaimedRange): Promise<number | undefined> {
  const { key, attempt } = claimed;
  const { sink, ranges } = options;
  if (!sink.finishes.includes(claimed.pending.transform)) throw otherTransform(sink, claimed.pending);
  const { token, shared } = claimed.pending;
  if (shared && !(await ranges.detach(key, token))) return undefined;
  const pending: PendingRange = { ...claimed.pending, shared: false };
  attempt.pending = pending;
  const range = { ...claimed, pending, claimedAt: momentOf(options.clock) };
  const without = await storedBefore(sink, range);
  await insertBlocks(options, claimOf(range), await sink.blocks(key, range.frames, without));
  const last = await insertMissing(options, range);
  return last === undefined ? undefined : finish(options, range, last);
}

interface Range extends ClaimedRange {
  readonly claimedAt: Claim["claimedAt"];
}

function claimOf({ pending, claimedAt }: Range): Claim {
  return { token: pending.token, claimedAt };
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
  const claim = claimOf({ ...range, pending: next });
  await insertBlocks(options, claim, await options.sink.blocks(key, frames, stored));
  return next;
}

async function finish({ ranges, sink }: SinkHandlerOptions, { key, frames }: Range, pending: PendingRange) {
  if (!(await ranges.finish(key, pending.token, seenOf(frames, pending.to)))) return undefined;
  await sink.done([{ at: key, below: pending.to }]);
  return pending.to;
}

function otherTransform(sink: Sink, pending: PendingRange): HeadwaterError {
  const publicMessage = `A range of ${sink.group} is pending from transform ${pending.transform}, but this process runs ${sink.transform}. Let the older version finish it first.`;
  return new HeadwaterError({ code: "INTERNAL_ERROR", status: 500, publicMessage });
}
