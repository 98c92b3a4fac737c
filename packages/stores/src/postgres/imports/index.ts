export {
  addImportedRows,
  deleteImportCounts,
  type ImportedRows,
  type ImportKey,
  type ImportOutcomes,
  type ImportReject,
  loadImportedRows,
  readImportOutcomes,
  readImportRejects,
  readLastImportedRow,
} from "./importCounts.ts";
export {
  deleteUpload,
  insertUpload,
  lockUnfinishedUpload,
  nextIdleUpload,
  readUpload,
  readUploadedBytes,
  staleUploads,
  takeUpload,
  type Upload,
  type UploadOfAccount,
} from "./uploads.ts";
