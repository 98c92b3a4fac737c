import { supplementRecordIdOf } from "@headwater/kernel";
import type { Origin } from "@headwater/records/contacts/contactIndex";
import type { FoldState } from "@headwater/records/fold/foldState";
import { type Folded, folded, rejected, skipped } from "@headwater/records/fold/outcome";
import { isOutdated } from "@headwater/records/supplements/builtInTables";
import { readRecord, refuseNewId, upsertRecord } from "@headwater/records/supplements/supplementWrite";
import type { UpsertSupplementsRecordsRecord } from "./schema.ts";

/** Path of the record in the body of it alone. */
const AT = "/records/0";

/** Writes the record into its table, unless the table was cleared or the record deleted since. */
export function fold(
  state: FoldState,
  { supplement: key, record, strategy }: UpsertSupplementsRecordsRecord,
  origin: Origin,
): Folded {
  const supplement = state.supplement(key);
  if (supplement === undefined) return folded(rejected("RECORD_NOT_FOUND", "/supplement", "The table does not exist."));
  const id = record.id ?? supplementRecordIdOf(origin.account.id, origin.recordId);
  const { known, floor } = readRecord(state, supplement, id);
  if (floor >= origin.version) return folded(skipped("SUPERSEDED"));
  if (strategy === "insertOnly" && known !== undefined) return folded(skipped("UPDATE_NOT_ALLOWED"));
  if (strategy === "updateOnly" && known === undefined) return folded(skipped("CREATE_NOT_ALLOWED"));
  const refused = known === undefined || record.id === undefined ? refuseNewId(supplement, record.id) : undefined;
  if (refused !== undefined) return folded(rejected("VALIDATION_ERROR", `${AT}/id`, refused));
  if (isOutdated(key, known?.members, record)) return folded(skipped("SUPERSEDED"));
  return upsertRecord(state, { supplement, id, known, fields: record, at: AT }, origin);
}
