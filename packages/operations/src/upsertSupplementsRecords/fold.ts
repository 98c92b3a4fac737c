import type { Origin } from "@headwater/contracts";
import { supplementRecordIdOf } from "@headwater/kernel";
import { isOutdated } from "../builtInTables.ts";
import { type Outcome, rejected, skipped } from "../outcome.ts";
import type { FoldState } from "../state/foldState.ts";
import { readRecord, refuseNewId, upsertRecord } from "../supplementWrite.ts";
import type { UpsertSupplementsRecordsRecord } from "./schema.ts";

/** Writes the record into its table, unless the table was cleared or the record deleted since. */
export function fold(
  state: FoldState,
  { supplement: key, record }: UpsertSupplementsRecordsRecord,
  origin: Origin,
): Outcome {
  const supplement = state.supplement(key);
  if (supplement === undefined) return rejected("RECORD_NOT_FOUND", "/supplement", "The account has no such table.");
  const at = `/records/${origin.recordId.split(":")[2] ?? 0}`;
  const id = record.id ?? supplementRecordIdOf(origin.account.id, origin.recordId);
  const { known, floor } = readRecord(state, supplement, id);
  if (floor >= origin.version) return skipped("SUPERSEDED");
  const refused = known === undefined || record.id === undefined ? refuseNewId(supplement, record.id) : undefined;
  if (refused !== undefined) return rejected("VALIDATION_ERROR", `${at}/id`, refused);
  if (isOutdated(key, known?.members, record)) return skipped("SUPERSEDED");
  return upsertRecord(state, { supplement, id, known, fields: record, at }, origin);
}
