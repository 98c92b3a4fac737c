import type { Session } from "../connection/session.ts";
import { keyValues, type OffsetKey, type PendingRange, type StoredOffset } from "./streamOffsets.ts";

const KEY = "grp = $1 AND topic = $2 AND generation = $3 AND partition = $4";
const claimStatement = {
  name: "ranges_claim",
  text: `UPDATE stream_offsets SET pending_to = $6, pending_token = $7, pending_attempt = $8, pending_transform = $9, pending_shared = false,
    updated_at = now() WHERE ${KEY} AND next_offset = $5 AND pending_token IS NULL`,
};
const replaceStatement = {
  name: "ranges_replace",
  text: `UPDATE stream_offsets SET pending_to = $6, pending_token = $7, pending_attempt = $8, pending_transform = $9, pending_shared = false,
    updated_at = now() WHERE ${KEY} AND pending_token = $5 AND NOT pending_shared`,
};
const finishStatement = {
  name: "ranges_finish",
  text: `UPDATE stream_offsets SET next_offset = pending_to, marked_offset = pending_to, last_record_id = $6, greatest_time = GREATEST(greatest_time, $7),
    outbox_position = GREATEST(outbox_position, $8), last_print = $9, last_epoch = $10, pending_to = NULL, pending_token = NULL, pending_attempt = NULL,
    pending_transform = NULL, updated_at = now()
    WHERE ${KEY} AND pending_token = $5 AND NOT pending_shared`,
};

/** Fixes the range that begins at `from` before it is inserted. False: it moved on, or another range is pending. */
export async function claimRange(
  session: Session,
  key: OffsetKey,
  from: number,
  range: PendingRange,
): Promise<boolean> {
  return (await session.execute(claimStatement, [...keyValues(key), from, ...rangeValues(range)])) === 1;
}

/** A new attempt under a new token, while the old one is still the pending one. False: another process was first. */
export async function replaceRange(
  session: Session,
  key: OffsetKey,
  oldToken: string,
  range: PendingRange,
): Promise<boolean> {
  return (await session.execute(replaceStatement, [...keyValues(key), oldToken, ...rangeValues(range)])) === 1;
}

/** The rows are in ClickHouse: the offset becomes the range's end. False: another process finished it or raised the attempt. */
export async function finishRange(
  session: Session,
  key: OffsetKey,
  token: string,
  seen: Pick<StoredOffset, "lastRecordId" | "greatestTime" | "outboxPosition" | "mark">,
): Promise<boolean> {
  const values = [token, seen.lastRecordId, seen.greatestTime, seen.outboxPosition];
  const mark = [seen.mark?.print ?? null, seen.mark?.epoch ?? null];
  return (await session.execute(finishStatement, [...keyValues(key), ...values, ...mark])) === 1;
}

function rangeValues(range: PendingRange) {
  return [range.to, range.token, range.attempt, range.transform];
}
