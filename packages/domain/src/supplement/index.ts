export { type BuiltInTable, builtInTables, isOutdated } from "./builtInTables.ts";
export {
  fromSupplementRecordRow,
  liveRecord,
  type Supplement,
  type SupplementAccess,
  type SupplementClear,
  type SupplementIndexSlot,
  type SupplementRecord,
  type SupplementRecordRow,
} from "./supplement.ts";
export { checkRecord } from "./supplementCheck.ts";
export {
  type Comparison,
  compareKeys,
  entryKeys,
  isOneKey,
  isWithin,
  type KeyRange,
  narrowed,
  rangeOf,
} from "./supplementKeys.ts";
export { keyOf, linksOf } from "./supplementLink.ts";
export { geoTexts } from "./supplementTypes.ts";
export { readRecord, refuseNewId, upsertRecord } from "./supplementWrite.ts";
export {
  clearSupplement,
  createRecord,
  deleteRecord,
  existingRecord,
  type RecordRequest,
  type RecordWritten,
  recordReads,
  updateRecord,
} from "./writeSupplement.ts";
