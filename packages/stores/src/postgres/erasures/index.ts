export {
  accountsWithErasures,
  type ErasableKey,
  type ErasedKey,
  keepErasedKeys,
  loadErasedKeys,
} from "./erasedKeys.ts";
export {
  deleteEntriesOf,
  filesAbout,
  profilesSent,
  scrubOrderPaths,
  scrubOthers,
  scrubRejects,
  setJobInput,
  type TracesOf,
} from "./erasedTraces.ts";
export { readErasureSecret, readErasureSecretFile, settleErasureSecret } from "./erasureSecret.ts";
export {
  deleteRowsOf,
  type ErasedContact,
  type ErasedIdentifier,
  type Erasure,
  eraseContact,
  erasedCids,
  erasedSince,
  forgetKeysOf,
  insertTombstones,
  lastErasure,
  loadErasedFrom,
  readErasure,
} from "./erasures.ts";
