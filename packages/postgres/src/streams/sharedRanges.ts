import { plainArray, textArray } from "../connection/arrays.ts";
import type { Session, Value } from "../connection/session.ts";
import { keyValues, type OffsetKey, type PendingRange, type StoredOffset } from "./streamOffsets.ts";

/** A range of one partition, from its stored offset up to `to` (excluded). */
export interface RangeClaim {
  readonly key: OffsetKey;
  readonly from: number;
  readonly to: number;
}

/** A range whose rows are stored. */
export interface StoredRange {
  readonly key: OffsetKey;
  readonly seen: Pick<StoredOffset, "greatestTime" | "mark">;
}

/** A step of a partition's offset over frames that have no rows. */
export interface RangeStep {
  readonly key: OffsetKey;
  readonly from: number;
  readonly to: Pick<StoredOffset, "nextOffset" | "greatestTime" | "mark">;
}

const KEYS = "grp, topic, generation, partition";
const KEY_ARRAYS = "$1::text[], $2::text[], $3::int[], $4::int[]";

/** Changes all of the rows or none: those that are not as expected any more are not among the locked ones. Locks in the order of keys. */
const allOrNone = (input: string, isExpected: string, change: string) => `WITH given AS (
    SELECT * FROM unnest(${KEY_ARRAYS}, ${input}),
  locked AS (
    SELECT given.* FROM stream_offsets o JOIN given USING (${KEYS}) WHERE ${isExpected} ORDER BY ${KEYS} FOR NO KEY UPDATE OF o)
  UPDATE stream_offsets o SET ${change}, updated_at = now() FROM locked l
  WHERE (o.grp, o.topic, o.generation, o.partition) = (l.grp, l.topic, l.generation, l.partition)
    AND (SELECT count(*) FROM locked) = (SELECT count(*) FROM given)`;

const claimStatement = {
  name: "ranges_claim_shared",
  text: allOrNone(
    `$5::bigint[], $6::bigint[]) AS g (${KEYS}, from_offset, to_offset)`,
    "o.next_offset = given.from_offset AND o.pending_token IS NULL",
    "pending_to = l.to_offset, pending_token = $7, pending_attempt = 0, pending_transform = $8, pending_shared = true",
  ),
};
const finishStatement = {
  name: "ranges_finish_shared",
  text: allOrNone(
    `$5::bigint[], $6::text[], $7::int[]) AS g (${KEYS}, greatest_time, print, epoch)`,
    "o.pending_token = $8 AND o.pending_shared",
    `next_offset = o.pending_to, marked_offset = o.pending_to, last_record_id = NULL, greatest_time = GREATEST(o.greatest_time, l.greatest_time),
      last_print = l.print, last_epoch = l.epoch, pending_to = NULL, pending_token = NULL, pending_attempt = NULL, pending_transform = NULL,
      pending_shared = false`,
  ),
};
const advanceStatement = {
  name: "ranges_advance",
  text: allOrNone(
    `$5::bigint[], $6::bigint[], $7::bigint[], $8::text[], $9::int[]) AS g (${KEYS}, from_offset, to_offset, greatest_time, print, epoch)`,
    "o.next_offset = given.from_offset AND o.pending_token IS NULL",
    "next_offset = l.to_offset, greatest_time = GREATEST(o.greatest_time, l.greatest_time), last_print = l.print, last_epoch = l.epoch",
  ),
};
const detachStatement = {
  name: "ranges_detach",
  text: `UPDATE stream_offsets SET pending_shared = false, updated_at = now()
    WHERE grp = $1 AND topic = $2 AND generation = $3 AND partition = $4 AND pending_token = $5 AND pending_shared`,
};

/** Fixes ranges of several partitions under one token, all or none. @returns false when one of them moved on or is pending. */
export async function claimShared(
  session: Session,
  claims: readonly RangeClaim[],
  { token, transform }: Pick<PendingRange, "token" | "transform">,
): Promise<boolean> {
  const offsets = [plainArray(claims, ({ from }) => from), plainArray(claims, ({ to }) => to)];
  const values = [...keyArrays(claims), ...offsets, token, transform];
  return (await session.execute(claimStatement, values)) === claims.length;
}

/** Moves the offsets of all partitions of a shared claim to their ranges' ends. @returns false when one of them was detached. */
export async function finishShared(session: Session, token: string, stored: readonly StoredRange[]): Promise<boolean> {
  const values = [...keyArrays(stored), ...seenArrays(stored.map(({ seen }) => seen)), token];
  return (await session.execute(finishStatement, values)) === stored.length;
}

/** Moves offsets past frames that have no rows, all or none. @returns false when one of them moved or a range is pending. */
export async function advanceOffsets(session: Session, steps: readonly RangeStep[]): Promise<boolean> {
  const offsets = [plainArray(steps, ({ from }) => from), plainArray(steps, ({ to }) => to.nextOffset)];
  const values = [...keyArrays(steps), ...offsets, ...seenArrays(steps.map(({ to }) => to))];
  return (await session.execute(advanceStatement, values)) === steps.length;
}

/**
 * Takes a partition out of a shared claim, before its rows are sent alone under the token: from then on the claim cannot be finished as
 * a whole. @returns false when it was finished or detached before.
 */
export async function detachRange(session: Session, key: OffsetKey, token: string): Promise<boolean> {
  return (await session.execute(detachStatement, [...keyValues(key), token])) === 1;
}

function keyArrays(ranges: readonly { readonly key: OffsetKey }[]): Value[] {
  return [
    textArray(ranges, ({ key }) => key.group),
    textArray(ranges, ({ key }) => key.topic),
    plainArray(ranges, ({ key }) => key.generation),
    plainArray(ranges, ({ key }) => key.partition),
  ];
}

function seenArrays(seen: readonly StoredRange["seen"][]): Value[] {
  return [
    plainArray(seen, ({ greatestTime }) => greatestTime),
    textArray(seen, ({ mark }) => mark?.print ?? null),
    plainArray(seen, ({ mark }) => mark?.epoch ?? null),
  ];
}
