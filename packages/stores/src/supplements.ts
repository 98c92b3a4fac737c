export {
  deleteSupplementEntries,
  insertSupplementEntries,
  type SupplementEntry,
} from "./postgres/state/supplementEntries.ts";
export {
  insertSupplementRecords,
  lockSupplementRecords,
  type StoredSupplementRecord,
  type SupplementRecordKey,
  updateSupplementRecords,
} from "./postgres/state/supplementRecords.ts";
export {
  type ClearedRecord,
  clearSupplements,
  countSupplementRows,
  lockSupplements,
  noteSupplementUpdates,
  type RemovedPage,
  readSupplementClearsBelow,
  removeClearedRecords,
  type StoredSupplementClear,
  type SupplementUpdate,
} from "./postgres/state/supplementTables.ts";
export {
  addSupplementIndexes,
  dropSupplementIndexes,
  type IndexAtWork,
  moveIndex,
  readRecordsAfter,
  removeIndexEntries,
  takeIndexesAtWork,
} from "./postgres/supplementIndexes.ts";
export {
  countSupplementEntries,
  countSupplementMatches,
  countSupplementRecords,
  type EntriesRange,
  type ReadTable,
  readSupplementRecord,
  type SupplementRecordView,
  walkSupplementEntries,
  walkSupplementRecords,
} from "./postgres/supplementReads.ts";
export {
  countSupplements,
  createSupplement,
  deleteSupplement,
  insertSupplement,
  loadSupplements,
  type NewSupplement,
  pageSupplements,
  readSupplement,
  renameSupplement,
  type StoredSupplement,
  type SupplementKey,
  type SupplementsPage,
  type SupplementView,
} from "./postgres/supplements.ts";
