export {
  type BatchMessageFilters,
  type BatchMessagesPage,
  countBatchMessages,
  type ListedBatchMessage,
  pageBatchMessages,
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
