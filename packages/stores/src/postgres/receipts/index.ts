export { deleteAppliedRecords, insertAppliedRecords, loadAppliedRecords, type RecordKey } from "./appliedRecords.ts";
export {
  type CodeCounts,
  countRejections,
  deleteReceiptCounts,
  insertReceiptCounts,
  type ReceiptCounts,
  type Rejection,
  type RejectionsPage,
  readParked,
  readReceiptCounts,
  readRejections,
} from "./receipts.ts";
