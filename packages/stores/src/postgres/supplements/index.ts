export { newestRecordsOf } from "./recordsOfContacts.ts";
export { deleteSupplementEntries, insertSupplementEntries, type SupplementEntry } from "./supplementEntries.ts";
export {
  addSupplementIndexes,
  dropSupplementIndexes,
  type IndexAtWork,
  moveIndex,
  readRecordsAfter,
  removeIndexEntries,
  takeIndexesAtWork,
} from "./supplementIndexes.ts";
export {
  countSupplementEntries,
  countSupplementMatches,
  countSupplementRecords,
  type EntriesRange,
  type ReadTable,
  readFirstSupplementRecords,
  readSupplementRecord,
  type SupplementRecordView,
  walkSupplementEntries,
  walkSupplementRecords,
} from "./supplementReads.ts";
export {
  insertSupplementRecords,
  lockSupplementRecords,
  type StoredSupplementRecord,
  type SupplementRecordKey,
  updateSupplementRecords,
} from "./supplementRecords.ts";
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
} from "./supplements.ts";
export {
  clearSupplements,
  countSupplementRows,
  lockSupplements,
  noteSupplementUpdates,
  type RemovedPage,
  readSupplementClearsAfter,
  readSupplementClearsBelow,
  removeClearedRecords,
  type StoredSupplementClear,
  type SupplementUpdate,
} from "./supplementTables.ts";
