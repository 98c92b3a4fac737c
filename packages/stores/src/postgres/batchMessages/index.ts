export {
  type BatchMessageFilters,
  type BatchMessagesPage,
  countMessages,
  type ListedMessage,
  pageMessages,
} from "./batchMessagePages.ts";
export {
  type BatchMessageMembers,
  batchMessagesOfTransport,
  deleteBatchMessage,
  insertBatchMessage,
  lockBatchMessage,
  readBatchMessage,
  type StoredBatchMessage,
  updateBatchMessage,
} from "./batchMessages.ts";
export { readFrozenMessages, type StoredFrozenMessage } from "./frozenMessages.ts";
export { addMessageHealth, type HealthNote } from "./healthRows.ts";
export { type HeldContact, readHeldContacts, settleHeldSends } from "./heldSends.ts";
export {
  countMessageSends,
  freeTriedSends,
  holdMessageSends,
} from "./messageSends.ts";
export { pauseMessage } from "./pauseMessage.ts";
export {
  cancelRetry,
  countRetried,
  RETRIED_STATES,
  type RetriedState,
  retrySends,
} from "./retrySends.ts";
export {
  CHUNK_CONTACTS,
  contactsWithRow,
  dropChunks,
  type ExpandedAs,
  expandChunks,
  insertChunks,
  readChunkTotals,
  readOldChunks,
  releaseChunks,
  type SendChunk,
  skipContacts,
} from "./sendChunks.ts";
export {
  beginMessage,
  lockSendingMessage,
  readDueMessages,
  readEndedMessages,
  resumeMessage,
  type SendingMessage,
  setExperiment,
  setMessageStatus,
  setSnapshotReady,
  startBatchMessage,
  unscheduleMessage,
} from "./startMessages.ts";
export { stopMessage } from "./stopMessage.ts";
