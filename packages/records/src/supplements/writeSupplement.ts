import { type Account, timeOfVersion, type Version } from "@headwater/contracts";
import { supplementRecordIdOf } from "@headwater/kernel";
import type { Origin } from "../contacts/contactIndex.ts";
import { type FoldResult, noChangeEvents } from "../fold/foldEvents.ts";
import type { FoldState } from "../fold/foldState.ts";
import type { Folded, Outcome } from "../fold/outcome.ts";
import type { StateReads } from "../fold/stateReads.ts";
import type { Supplement, SupplementRecord } from "./supplement.ts";
import { linksOf } from "./supplementLink.ts";
import { readRecord, refuseNewId, upsertRecord } from "./supplementWrite.ts";

/** A write of `/v2` to one record. */
export interface RecordRequest {
  /** Key of the table. */
  readonly supplement: string;
  readonly id?: string | undefined;
  readonly fields: Readonly<Record<string, unknown>>;
}

export type RecordWritten =
  | (FoldResult & { readonly kind: "written"; readonly id: string })
  | { readonly kind: "unknownTable" | "unknownRecord" | "idTaken" }
  | { readonly kind: "refused"; readonly outcome: Extract<Outcome, { kind: "rejected" }> };

/** Returns the reads of a record's write. */
export function recordReads(
  { supplement, id, fields }: RecordRequest,
  { account, recordId }: { readonly account: Account; readonly recordId: string },
): StateReads {
  const known = id ?? supplementRecordIdOf(account.id, recordId);
  return { identifiers: linksOf(fields, account), members: false, supplement: { key: supplement, id: known } };
}

/** The record, where it is there. */
export function existingRecord(
  state: FoldState,
  { supplement: key, id }: { readonly supplement: string; readonly id: string },
): SupplementRecord | undefined {
  const supplement = state.supplement(key);
  return supplement && readRecord(state, supplement, id).known;
}

/** Makes a record that is not there yet; one that was deleted may be made again. */
export function createRecord(
  state: FoldState,
  { supplement: key, id: input, fields }: RecordRequest,
  origin: Origin,
): RecordWritten {
  const supplement = state.supplement(key);
  if (supplement === undefined) return { kind: "unknownTable" };
  const id = input ?? supplementRecordIdOf(origin.account.id, origin.recordId);
  const { known } = readRecord(state, supplement, id);
  if (known !== undefined) return { kind: "idTaken" };
  const refused = refuseNewId(supplement, input);
  if (refused !== undefined) return refusedId(refused);
  return written(id, upsertRecord(state, { supplement, id, known, fields, at: "" }, origin));
}

/** Changes the fields that are given of a record that is there. */
export function updateRecord(
  state: FoldState,
  { supplement: key, id, fields }: RecordRequest & { readonly id: string },
  origin: Origin,
): RecordWritten {
  const supplement = state.supplement(key);
  if (supplement === undefined) return { kind: "unknownTable" };
  const { known } = readRecord(state, supplement, id);
  if (known === undefined) return { kind: "unknownRecord" };
  return written(id, upsertRecord(state, { supplement, id, known, fields, at: "" }, origin));
}

/** Deletes a record that is there. */
export function deleteRecord(
  state: FoldState,
  { supplement: key, id }: { readonly supplement: string; readonly id: string },
  origin: Origin,
): RecordWritten {
  const supplement = state.supplement(key);
  if (supplement === undefined) return { kind: "unknownTable" };
  if (readRecord(state, supplement, id).known === undefined) return { kind: "unknownRecord" };
  return { kind: "written", id, ...leaveTombstone(state, { supplement, id }, origin.version) };
}

/** Every write of the record at or below the version is undone, those that come later still too; what was written since stays. */
export function leaveTombstone(
  state: FoldState,
  { supplement, id }: { readonly supplement: Supplement; readonly id: string },
  version: Version,
): FoldResult {
  const stored = state.supplementRecord(supplement.id, id);
  const { floor } = readRecord(state, supplement, id);
  if (floor >= version) return { changeEvents: noChangeEvents };
  const left = [...(stored?.members ?? [])].filter(([, member]) => member.version > version);
  const time = timeOfVersion(version);
  const isLater = stored === undefined || stored.version <= version;
  const record = {
    supplement: supplement.id,
    id,
    contact: stored?.contact,
    createdAt: isLater ? time : Math.max(stored.createdAt, time),
    modifiedAt: isLater ? time : stored.modifiedAt,
    version: isLater ? version : stored.version,
    deletedVersion: version,
    members: new Map(left),
  };
  state.setSupplementRecord(record);
  return { changeEvents: [{ kind: "supplementRecord", record }] };
}

/** Empties the table: what was written before the version is gone. */
export function clearSupplement(state: FoldState, key: string, { version }: Origin): Supplement | undefined {
  const supplement = state.supplement(key);
  if (supplement === undefined) return undefined;
  if ((supplement.clearedVersion ?? "") < version) state.clearSupplement(supplement, version);
  return supplement;
}

function written(id: string, { changeEvents, ...outcome }: Folded): RecordWritten {
  return outcome.kind === "rejected" ? { kind: "refused", outcome } : { kind: "written", id, changeEvents };
}

function refusedId(message: string): RecordWritten {
  return { kind: "refused", outcome: { kind: "rejected", code: "VALIDATION_ERROR", path: "/id", message } };
}
