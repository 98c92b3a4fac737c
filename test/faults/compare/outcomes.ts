import { openReceipt } from "@headwater/contracts";
import type { LogRecord } from "../harness/readLog.ts";
import type { Ground } from "../harness/services.ts";
import type { Accepted } from "../load/sender.ts";
import type { Replayed } from "../model/replay.ts";
import type { Differences } from "./differences.ts";

/** Every record behind a 202 is in the log where its receipt says, and the receipt counts it. */
export function compareReceipts(
  accepted: readonly Accepted[],
  log: readonly LogRecord[],
  { secret, differences }: { readonly secret: string; readonly differences: Differences },
): void {
  const positions = positionsByRequest(log);
  for (const { requestId, receipt, records } of accepted) {
    const opened = openReceipt(receipt, secret);
    const parts = opened?.parts ?? [];
    differences.same(`request of receipt ${requestId}`, opened?.requestId, requestId);
    differences.same(`records of request ${requestId}`, sum(parts.map(({ count }) => count)), records);
    for (const {
      partition,
      count,
      firstOffset,
      firstPlace: firstPosition,
      lastOffset,
      lastPlace: lastPosition,
    } of parts) {
      const found = (positions.get(`${requestId} ${partition}`) ?? []).filter(
        ({ offset, place: position }) =>
          isUpTo([firstOffset, firstPosition], [offset, position]) &&
          isUpTo([offset, position], [lastOffset, lastPosition]),
      );
      differences.same(`records of ${requestId} in partition ${partition} of the log`, found.length, count);
    }
  }
}

function positionsByRequest(log: readonly LogRecord[]): ReadonlyMap<string, LogRecord[]> {
  const places = new Map<string, LogRecord[]>();
  for (const at of log) {
    if (at.record.redriveOf !== undefined) continue;
    const key = `${String(at.record.id).split(":")[0]} ${at.partition}`;
    const known = places.get(key) ?? [];
    places.set(key, known);
    known.push(at);
  }
  return places;
}

function isUpTo(
  [offset, place]: readonly [number, number],
  [toOffset, toPosition]: readonly [number, number],
): boolean {
  return offset < toOffset || (offset === toOffset && place <= toPosition);
}

/** The load is all well-formed: whoever it names may be unknown, and for nothing else is any record refused. */
export async function expectNoneRefused({ postgres }: Ground, differences: Differences): Promise<void> {
  const refused = await postgres.query<{ recordId: string; code: string }>({
    text: `SELECT record_id AS "recordId", code FROM rejects
      WHERE status <> 'skipped' AND code <> 'CONTACTS_CONTACT_NOT_FOUND' ORDER BY rejected_at`,
  });
  for (const { recordId, code } of refused) differences.add(`record ${recordId} was refused: ${code}`);
}

/** Rejects, skips and warnings are the model's, request by request; what is none of these was applied. */
export async function compareOutcomes({ postgres }: Ground, replayed: Replayed, differences: Differences) {
  const rejects = await postgres.query<{ recordId: string; status: string; code: string }>({
    text: `SELECT record_id AS "recordId", status, code FROM rejects`,
  });
  differences.sameMaps(
    "refused record",
    new Map(rejects.map(({ recordId, status }) => [recordId, status])),
    new Map([...replayed.rejects].map(([recordId, { status }]) => [recordId, status])),
  );
  const counts = await postgres.query<{ requestId: string; skips: string; warnings: string }>({
    text: `SELECT request_id AS "requestId", skips, warnings FROM receipt_counts`,
  });
  differences.sameMaps("counts of request", storedCounts(counts), modelCounts(replayed));
  const keyed = await postgres.query<{ recordId: string }>({
    text: `SELECT record_id AS "recordId" FROM applied_records`,
  });
  differences.sameMaps(
    "keyed record",
    new Map(keyed.map(({ recordId }) => [recordId, true])),
    new Map([...replayed.keyedIds].map((recordId) => [recordId, true])),
  );
}

type Counts = Map<string, Record<string, number>>;

function storedCounts(rows: readonly { requestId: string; skips: string; warnings: string }[]): Counts {
  const counts: Counts = new Map();
  for (const { requestId, skips, warnings } of rows) {
    const known = counts.get(requestId) ?? {};
    counts.set(requestId, known);
    for (const [prefix, text] of [
      ["skipped", skips],
      ["warning", warnings],
    ] as const) {
      const parsed: Record<string, number> = JSON.parse(text);
      for (const [code, count] of Object.entries(parsed)) add(known, `${prefix} ${code}`, count);
    }
  }
  return sortedCounts(counts);
}

function modelCounts({ tallies }: Replayed): Counts {
  const counts: Counts = new Map();
  for (const [requestId, { skips, warnings }] of tallies) {
    if (skips.size + warnings.size === 0) continue;
    const known: Record<string, number> = {};
    for (const [code, count] of skips) add(known, `skipped ${code}`, count);
    for (const [code, count] of warnings) add(known, `warning ${code}`, count);
    counts.set(requestId, known);
  }
  return sortedCounts(counts);
}

function add(counts: Record<string, number>, name: string, count: number): void {
  counts[name] = (counts[name] ?? 0) + count;
}

function sortedCounts(counts: Counts): Counts {
  const sort = (one: Record<string, number>) =>
    Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1)));
  return new Map([...counts].map(([requestId, one]) => [requestId, sort(one)]));
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);
