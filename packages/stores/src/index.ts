export {
  BLOCK_BYTES_MAX,
  type Block,
  type ClickHouse,
  type ClickHouseOptions,
  createClickHouse,
  type QueryOptions,
} from "./clickhouse/clickhouse.ts";
export { type ClickHouseFailure, clickHouseFailure } from "./clickhouse/failures.ts";
export { type MigrateClickHouseOptions, migrateClickHouse } from "./clickhouse/migrate.ts";
export { createRowBinary, type RowBinary } from "./clickhouse/rowBinary.ts";
export { createFileStore, type FileKey, type FileStore, FileTooLarge, type WrittenFile } from "./files/fileStore.ts";
export { createJobQueue, type JobQueue } from "./jobQueue/jobQueue.ts";
export { createJobWorker, type JobWorkerOptions } from "./jobQueue/jobWorker.ts";
export { type JobToStart, startJob } from "./jobQueue/startJob.ts";
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
export {
  type AccountDocument,
  createAccount,
  findAccount,
  findAccountByNumber,
  hasContacts,
  listAccounts,
  lockAccountDocument,
  readAccountDocument,
  updateAccount,
} from "./postgres/accounts.ts";
export {
  type ApiKey,
  createApiKey,
  findApiKey,
  listApiKeys,
  type NewApiKey,
  revokeApiKey,
} from "./postgres/apiKeys.ts";
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
  setAttribute,
  toRule,
} from "./postgres/attributeDefinitions.ts";
export {
  type ContactsPage,
  pageContacts,
  readCids,
  readContactByCid,
  readContactByIdentifiers,
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
  forgetJobInput,
  scrubOthers,
  scrubRejects,
  type TracesOf,
} from "./postgres/erasedTraces.ts";
export { type PostgresFailure, postgresFailure } from "./postgres/failures.ts";
export {
  deleteFileRow,
  type FileWithAccount,
  insertFile,
  oldFiles,
  readFileRow,
  type StoredFile,
} from "./postgres/files.ts";
export { deleteHandover, type Handover, insertHandover, type LogPartition, readHandover } from "./postgres/handover.ts";
export {
  type ClaimOutcome,
  claimIdempotency,
  deleteIdempotency,
  finishIdempotency,
  forgetIdempotency,
  type IdempotencyClaim,
  type IdempotencyScope,
  releaseIdempotency,
  type StoredAnswer,
} from "./postgres/idempotency.ts";
export {
  countIncludes,
  deleteInclude,
  type IncludeMembers,
  type IncludesPage,
  type IncludeUser,
  insertInclude,
  type ListedInclude,
  lockInclude,
  pageIncludes,
  readInclude,
  type StoredInclude,
  updateInclude,
  usersOfInclude,
} from "./postgres/includes.ts";
export { type IssuedApiKey, issueApiKey, type WantedApiKey } from "./postgres/issueApiKey.ts";
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
export { type KeyChangesOptions, listenForKeyChanges } from "./postgres/keyChanges.ts";
export { type KeyUse, type LastUseOptions, recordLastUse, writeLastUse } from "./postgres/lastUse.ts";
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
  pageLists,
  type StoredList,
  updateList,
} from "./postgres/lists.ts";
export { type MergeOfContact, readMergesOfContact } from "./postgres/mergeReads.ts";
export { type MigratePostgresOptions, migratePostgres } from "./postgres/migrate.ts";
export { createOffsetsWatch, type OffsetsWatch } from "./postgres/offsetsWatch.ts";
export {
  countOrders,
  type OrderFilters,
  type OrdersPage,
  type OrderView,
  pageOrders,
  readOrder,
} from "./postgres/orderReads.ts";
export { orderIdsOfContact } from "./postgres/ordersOfContact.ts";
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
  countProducts,
  loadProducts,
  lockKnownProduct,
  lockProducts,
  type ProductKey,
  type ProductsPage,
  pageProducts,
  readProduct,
  type StoredProduct,
  saveProducts,
} from "./postgres/products.ts";
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
export {
  type CodeCounts,
  countRejections,
  insertReceiptCounts,
  type ReceiptCounts,
  type Rejection,
  type RejectionsPage,
  readReceiptCounts,
  readRejections,
} from "./postgres/receipts.ts";
export {
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
export {
  deleteClosedRejects,
  type LockedReject,
  lockRejects,
  noteRedriven,
  type RedriveOutcome,
  type RejectKey,
  type RejectOutcome,
  type RejectRow,
  type RejectStatus,
  readRejectPlaces,
  readRejectStatuses,
  rescheduleRejects,
  settleRejects,
  takeDueRejects,
  upsertRejects,
} from "./postgres/rejects.ts";
export type { Session, Statement, Transaction, Value } from "./postgres/session.ts";
export { followSinkMarks, type SinkMarks, takeSinkMarks } from "./postgres/sinkMarks.ts";
export { type CartKey, loadCarts, type StoredCart, upsertCarts } from "./postgres/state/carts.ts";
export {
  type ContactKey,
  insertContacts,
  loadCids,
  loadContacts,
  lockContactNumbers,
  lockContacts,
  type StoredContact,
  updateContacts,
} from "./postgres/state/contacts.ts";
export {
  deleteRowsOf,
  type ErasedContact,
  type ErasedIdentifier,
  type Erasure,
  eraseContact,
  loadErasedFrom,
  readErasure,
} from "./postgres/state/erasures.ts";
export {
  deleteIdentifiers,
  type IdentifierKey,
  type IdentifierRow,
  insertIdentifiers,
  loadIdentifiers,
  moveIdentifiers,
} from "./postgres/state/identifiers.ts";
export {
  clearLists,
  deleteCleared,
  KEPT_PAGE_ROWS,
  type KeptPage,
  type ListClear,
  lockMemberships,
  readClearsBelow,
  readGivenBack,
  readKept,
} from "./postgres/state/listClears.ts";
export {
  loadMemberships,
  loadMembershipsOfContacts,
  type MembershipKey,
  type StoredMembership,
  upsertMemberships,
} from "./postgres/state/memberships.ts";
export { insertMerges, type MergedContact, type MergeRow, moveToSurvivors } from "./postgres/state/merges.ts";
export {
  insertOrders,
  loadOrders,
  lockOrders,
  type OrderKey,
  type StoredOrder,
  updateOrders,
} from "./postgres/state/orders.ts";
export { takeContactNumbers, takeOutboxPositions } from "./postgres/state/sequences.ts";
export {
  dropMemberships,
  type EndedMerge,
  endMerge,
  loadSurvivedMerges,
  type SurvivedMerge,
} from "./postgres/state/splits.ts";
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
  lockOffset,
  type OffsetKey,
  type OpenOffset,
  openOffset,
  type PendingRange,
  readOffsets,
  type StoredOffset,
  setOffset,
} from "./postgres/streamOffsets.ts";
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
export { findUsableApiKey, type UsableApiKey } from "./postgres/usableApiKey.ts";
export {
  insertV2Write,
  type RecordPlace,
  readLastV2Version,
  readRefusedAt,
  readV2Writes,
  takeV2WriteNumber,
  type V2Write,
} from "./postgres/writeOrigins.ts";
