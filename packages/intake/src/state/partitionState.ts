import type { RejectKey, RejectStatus } from "@headwater/contracts";
import type { OffsetKey } from "@headwater/postgres/streams/streamOffsets";
import type { LogMark } from "@headwater/topics";
import { activityKey } from "../operations/createContactactivities/fold.ts";
import type { CreateContactactivitiesRecord } from "../operations/createContactactivities/schema.ts";
import type { IntakeRecord } from "../operations/operation.ts";
import type { ActivityWindow } from "./activityWindow.ts";
import type { LoggedRecord } from "./loggedRecord.ts";
import type { ReadFrame } from "./readFrames.ts";

/** Memory that one process has of a partition it owns; rebuilt from the log when the partition is taken over. */
export interface PartitionState {
  readonly key: OffsetKey;
  /** First offset the log kept when the partition was opened. */
  readonly low: number;
  /** First offset the window is rebuilt from. */
  readonly windowFrom: number;
  /** Stored: all below is applied. */
  nextOffset: number;
  greatestTime: number;
  readonly lastRecordId: string | null;
  /** The frame before the stored offset when the partition was opened. */
  readonly mark: LogMark | undefined;
  readonly window: ActivityWindow;
  /** Records below `nextOffset` that were refused, as `offset:place`: they do not count as seen. */
  readonly refusedBefore: ReadonlySet<string>;
}

/** Status of refused records, by `refusalKey`. */
export type Refusals = ReadonlyMap<string, RejectStatus>;

export function refusalKey({ account, recordId }: RejectKey): string {
  return `${account}\n${recordId}`;
}

/**
 * Returns activities that may have been refused although their own position in the log was not: redriven ones, and repeats of keyed ones.
 * Their outcome is in the reject row of their record id.
 */
export function mayBeRefused(frames: readonly ReadFrame[]): RejectKey[] {
  return frames.flatMap(({ records }) => records.filter(({ record }) => isAgain(record)).map(rejectKeyOf));
}

function isAgain(record: IntakeRecord): boolean {
  return record.keyed === true || record.redriveOf !== undefined;
}

function rejectKeyOf({ account, record }: LoggedRecord): RejectKey {
  return { account: account.number, recordId: record.id };
}

/**
 * Rebuilds the window from frames below the stored offset. The last of them must be the record that the stored row names.
 * @returns what is wrong with the log, if anything.
 */
export function rebuild(state: PartitionState, frames: readonly ReadFrame[], refusals: Refusals): string | undefined {
  for (const { offset, records } of frames) {
    const keys = records.flatMap((logged) => rememberedKey(state, logged, refusals));
    state.window.advance(offset, records.length, keys);
    if (offset !== state.nextOffset - 1 || state.lastRecordId === null) continue;
    const last = records[records.length - 1]?.record.id;
    if (last !== state.lastRecordId) return `offset ${offset} holds record ${last}, not ${state.lastRecordId}`;
  }
  return undefined;
}

function rememberedKey(state: PartitionState, logged: LoggedRecord, refusals: Refusals): string[] {
  if (logged.operation.name !== "createContactactivities" || logged.poison !== undefined) return [];
  // Postgres recognizes a partner's repeats by the partner's own name of them.
  if (logged.record.once !== undefined) return [];
  if (isAgain(logged.record) && (refusals.get(refusalKey(rejectKeyOf(logged))) ?? "applied") !== "applied") return [];
  if (state.refusedBefore.has(`${logged.offset}:${logged.place}`) || !isActivity(logged.record)) return [];
  const key = activityKey(logged.record, { account: logged.account });
  return key === undefined ? [] : [key];
}

/** Returns whether the record has the members of an activity; a fold that meets another shape breaks on that record alone. */
export function isActivity(record: object): record is CreateContactactivitiesRecord {
  if (!("event" in record) || !("contact" in record)) return false;
  return typeof record.event === "object" && record.event !== null && typeof record.contact === "object";
}
