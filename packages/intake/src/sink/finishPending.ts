import { HeadwaterError, instantOf } from "@headwater/kernel";
import type { OffsetKey, PendingRange } from "@headwater/postgres/streams/streamOffsets";
import type { LogFrame } from "@headwater/topics";
import { type Claim, insertBlocks } from "./insertBlocks.ts";
import type { Attempt } from "./quarantineRange.ts";
import type { Path, Sink } from "./sink.ts";
import type { SinkHandlerOptions } from "./sinkOptions.ts";
import { seenOf } from "./writeRanges.ts";

/** A part is renamed right after its token was logged: what is missing then is searched for once more, later. */
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
 * then it is counted. A token may be logged without its rows, and a shared one with the rows of another partition alone. Several owners
 * may do so at once, and each moves the offset only after its own count; rows that are not counted get a token that nobody else sends.
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
  const range = { ...claimed, pending, claimedAt: instantOf(options.clock) };
  const last =
    sink.stored === undefined
      ? await insertAgain(options, range, new Set())
      : await insertAndCount(options, range, sink.stored);
  return last === undefined ? undefined : finish(options, range, last);
}

interface Range extends ClaimedRange {
  readonly claimedAt: Claim["claimedAt"];
}

function claimOf({ pending, claimedAt }: Range): Claim {
  return { token: pending.token, claimedAt };
}

/**
 * Inserts what is missing and counts. What the count does not find is inserted under the next attempt's token, which other owners may
 * send as well, so that the next attempt counts again.
 * @returns undefined when the stored row is to be read again.
 */
async function insertAndCount(options: SinkHandlerOptions, range: Range, stored: NonNullable<Sink["stored"]>) {
  const { key, from, pending, frames } = range;
  const readStored = () => stored(key, { from, to: pending.to });
  // The first attempt's block is the whole range under one token; a later one holds what was missing when it began.
  const before = pending.attempt === 0 ? new Set<Path>() : await readStored();
  await insertBlocks(options, claimOf(range), await options.sink.blocks(key, frames, before));
  if (await isComplete(options, range, await readStored())) return pending;
  await new Promise((resolve) => setTimeout(resolve, RECOUNT_AFTER_MS));
  const now = await readStored();
  if (await isComplete(options, range, now)) return pending;
  await insertAgain(options, range, now);
  return undefined;
}

async function isComplete({ sink }: SinkHandlerOptions, { key, frames }: Range, stored: ReadonlySet<Path>) {
  const missing = await sink.blocks(key, frames, stored);
  return missing.every(({ rows }) => rows === 0);
}

/** Inserts all but what is stored under the next attempt's token. @returns undefined when another was quicker. */
async function insertAgain(options: SinkHandlerOptions, range: Range, stored: ReadonlySet<Path>) {
  const { key, pending, frames } = range;
  const next: PendingRange = { ...pending, token: options.newToken(), attempt: pending.attempt + 1 };
  if (!(await options.ranges.replace(key, pending.token, next))) return undefined;
  range.attempt.pending = next;
  options.logger.warn({ ...key, attempt: next.attempt }, "resuming a pending range: inserting the missing blocks");
  const claim = claimOf({ ...range, pending: next });
  await insertBlocks(options, claim, await options.sink.blocks(key, frames, stored));
  return next;
}

async function finish({ ranges, witness }: SinkHandlerOptions, { key, frames }: Range, pending: PendingRange) {
  await witness?.mark([{ key, to: pending.to }]);
  if (!(await ranges.finish(key, pending.token, seenOf(frames, pending.to)))) return undefined;
  return pending.to;
}

function otherTransform(sink: Sink, pending: PendingRange): HeadwaterError {
  const publicMessage = `A range of ${sink.group} is pending from transform ${pending.transform}, but this process runs ${sink.transform}. Let the older version finish it first.`;
  return new HeadwaterError({ code: "INTERNAL_ERROR", status: 500, publicMessage });
}
