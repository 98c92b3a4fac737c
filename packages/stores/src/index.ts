export * from "./clickhouse/index.ts";
export * from "./consistency/index.ts";
export { createFileStore, type FileKey, type FileStore, FileTooLarge, type WrittenFile } from "./files/fileStore.ts";
export * from "./jobQueue/index.ts";
export {
  type AccountingKey,
  type AccountingRange,
  addLogBatch,
  addOutcomeCounts,
  type Behind,
  deleteCounts,
  dropLogBatches,
  type FrameCount,
  type LaterBatch,
  type LogBatch,
  type LogCount,
  type LogSeen,
  type OffsetOf,
  type OutcomeCount,
  type OutcomesSeen,
  readBehind,
  readLogSeen,
  readOutcomesSeen,
} from "./postgres/accounting.ts";
export * from "./postgres/accounts/index.ts";
export * from "./postgres/adoption/index.ts";
export {
  deleteAppliedRecords,
  insertAppliedRecords,
  loadAppliedRecords,
  type RecordKey,
} from "./postgres/appliedRecords.ts";
export {
  type AttributeDefinition,
  countAttributes,
  deleteAttribute,
  ensureAttributes,
  loadAttributeRules,
  loadAttributes,
  lockAttribute,
  pageAttributes,
  readAttribute,
  readRetained,
  setAttribute,
  toRule,
} from "./postgres/attributeDefinitions.ts";
export {
  type ContactsPage,
  type ContactWithLists,
  pageContacts,
  readCids,
  readContactByCid,
  readContactByIdentifiers,
  readFirstNumber,
  type ShownContact,
  viewContactByCid,
  viewContactByIdentifiers,
} from "./postgres/contactReads.ts";
export { countDeadLetters, type DeadLetterCause, groupDeadLetters } from "./postgres/deadLetterCounts.ts";
export {
  type DeadLetter,
  type DeadLetterFilters,
  type DeadLetterLine,
  type DeadLettersPage,
  discardDeadLetters,
  openDeadLetters,
  pageDeadLetters,
  readDeadLetter,
  takeOpenDeadLetters,
} from "./postgres/deadLetters.ts";
export {
  deleteEntriesOf,
  filesAbout,
  scrubOrderPaths,
  scrubOthers,
  scrubRejects,
  setJobInput,
  type TracesOf,
} from "./postgres/erasedTraces.ts";
export { DocumentsTooLarge, type PostgresFailure, postgresFailure } from "./postgres/failures.ts";
export {
  deleteFileRow,
  type FileWithAccount,
  insertFile,
  oldFiles,
  readFileRow,
  type StoredFile,
} from "./postgres/files.ts";
export { deleteHandover, type Handover, insertHandover, type LogPartition, readHandover } from "./postgres/handover.ts";
export { createHashIndexes, findIndexChanges, type HashIndexesOptions } from "./postgres/hashIndexes.ts";
export {
  claimIdempotency,
  deleteIdempotency,
  finishIdempotency,
  forgetIdempotency,
  type IdempotencyClaim,
  releaseIdempotency,
  type StoredAnswer,
} from "./postgres/idempotency.ts";
export {
  countJobs,
  type JobFilters,
  type JobPlace,
  type JobsPage,
  type ListedJob,
  pageJobs,
  REDRIVE_JOB,
  readStoredJobs,
} from "./postgres/jobReads.ts";
export {
  countJobRejections,
  deleteJobRejections,
  insertJobRejections,
  type JobRejection,
  type JobRejectionsPage,
  pageJobRejections,
} from "./postgres/jobRejections.ts";
export {
  deleteJobs,
  endJob,
  insertJob,
  type Job,
  lockJob,
  lockJobOf,
  type NewJob,
  readStoredJob,
  saveJob,
  takeJob,
} from "./postgres/jobs.ts";
export { createKeyedCalls } from "./postgres/keyedCalls.ts";
export {
  countLists,
  countMembers,
  deleteList,
  ensureLists,
  insertList,
  type ListName,
  type ListOfContact,
  type ListsPage,
  listsOfContacts,
  loadListsById,
  loadListsByName,
  lockNames,
  makeMissingLists,
  type NewLists,
  pageLists,
  type StoredList,
  unmakeLists,
  updateList,
} from "./postgres/lists.ts";
export { type MigratePostgresOptions, migratePostgres } from "./postgres/migrate.ts";
export { findNamedLists, type ListsNamed, type NamedList } from "./postgres/namedLists.ts";
export type { Loss, OffsetMark } from "./postgres/offsetMark.ts";
export { createOffsetsWatch, type OffsetsWatch } from "./postgres/offsetsWatch.ts";
export {
  countOrders,
  type OrderFilters,
  pageOrders,
  readOrder,
  type ShownOrder,
} from "./postgres/orderReads.ts";
export { countOrdersOfContact, orderIdsOfContact } from "./postgres/ordersOfContact.ts";
export {
  appendOutbox,
  deleteOutbox,
  type OutboxPlace,
  type OutboxRow,
  type PublishedOffsets,
  type RelayProgress,
  readOutbox,
  readRelayProgress,
  setRelayProgress,
} from "./postgres/outbox.ts";
export {
  archivePartnerList,
  ensurePartnerList,
  findPartnerList,
  freePartnerListName,
  type NewPartnerList,
  type PartnerListKey,
  type PartnerListRow,
  renamePartnerList,
} from "./postgres/partnerLists.ts";
export { claimRange, finishRange, replaceRange } from "./postgres/pendingRanges.ts";
export { createPostgres, type Postgres, type PostgresOptions } from "./postgres/postgres.ts";
export {
  cartOfPerson,
  listsOfPerson,
  mergesOfPerson,
  type OrderOfPerson,
  ordersOfPerson,
  type Person,
  personOf,
  type RecordOfPerson,
  recordsOfPerson,
} from "./postgres/profileReads.ts";
export * from "./postgres/receipts.ts";
export * from "./postgres/records/index.ts";
export {
  cancelRedrive,
  claimRedrive,
  deleteRedrives,
  insertRedrive,
  type LetterRefusal,
  lettersOfRedrive,
  listRedrives,
  type NewRedrive,
  type Redrive,
  type RedrivePart,
  type RedriveSelection,
  readRedrive,
  refuseLetters,
  setRedriveProgress,
  setRedrivePublished,
  takeLetters,
} from "./postgres/redrives.ts";
export * from "./postgres/refusals.ts";
export {
  addRetainedValues,
  deleteRetainedValues,
  type RetainedValue,
  readRetainedValues,
} from "./postgres/retainedValues.ts";
export { rehearse, withSavepoint } from "./postgres/savepoint.ts";
export type { Session, Statement, Transaction, Value } from "./postgres/session.ts";
export { followSinkMarks, type SinkMarks, takeSinkMarks } from "./postgres/sinkMarks.ts";
export { createSoleHolder, type SoleHolder, type SoleHolderOptions } from "./postgres/soleHolder.ts";
export * from "./postgres/state/index.ts";
export * from "./postgres/streamOffsets.ts";
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
export {
  insertV2Write,
  type RecordPlace,
  readLastV2Version,
  readRefusedAt,
  readV2Writes,
  takeV2WriteNumbers,
  type V2Write,
} from "./postgres/writeOrigins.ts";
