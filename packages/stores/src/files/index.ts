export { deleteFileRow, type FileWithAccount, insertFile, oldFiles, readFileRow, type StoredFile } from "./fileRows.ts";
export {
  createFileStore,
  type FileKey,
  type FileStore,
  FileTooLarge,
  type FileUpload,
  type WrittenFile,
} from "./fileStore.ts";
export { filesEnvironment, openFileStore } from "./filesEnvironment.ts";
