export {
  type AttributeClear,
  insertAttributeClear,
  loadAttributeClears,
  lockAttributes,
  lockContactsWith,
  readAttributeClears,
  readClearsOf,
  storeDocuments,
} from "./attributeClears.ts";
export { type CartKey, loadCarts, type StoredCart, upsertCarts } from "./carts.ts";
export {
  type ContactKey,
  insertContacts,
  loadCids,
  loadContacts,
  lockContactNumbers,
  lockContacts,
  readAliases,
  type StoredContact,
  updateContacts,
} from "./contacts.ts";
export {
  accountsWithErasures,
  type ErasableKey,
  type ErasedKey,
  keepErasedKeys,
  loadErasedKeys,
} from "./erasedKeys.ts";
export { readErasureSecret, readErasureSecretFile, settleErasureSecret } from "./erasureSecret.ts";
export {
  deleteRowsOf,
  type ErasedContact,
  type ErasedIdentifier,
  type Erasure,
  eraseContact,
  forgetKeysOf,
  insertTombstones,
  loadErasedFrom,
  readErasure,
} from "./erasures.ts";
export {
  type FormerIdentifierRow,
  giveFormerIdentifiers,
  insertFormerIdentifiers,
  loadFormerIdentifiers,
  takeFormerIdentifiers,
} from "./formerIdentifiers.ts";
export { type HashedAddress, type HashesAsked, loadHashedAddresses } from "./hashedIdentifiers.ts";
export {
  deleteIdentifiers,
  type IdentifierKey,
  type IdentifierRow,
  insertIdentifiers,
  loadIdentifiers,
  moveIdentifiers,
} from "./identifiers.ts";
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
} from "./listClears.ts";
export {
  loadMemberships,
  loadMembershipsOfContacts,
  type MembershipKey,
  type StoredMembership,
  upsertMemberships,
} from "./memberships.ts";
export { type MergeOfContact, readMergesOfContact } from "./mergeReads.ts";
export { insertMerges, type MergedContact, type MergeRow, moveToSurvivors } from "./merges.ts";
export {
  insertOrders,
  loadOrders,
  lockOrders,
  type OrderKey,
  type StoredOrder,
  updateOrders,
} from "./orders.ts";
export { takeContactNumbers, takeOutboxPositions } from "./sequences.ts";
export {
  dropMemberships,
  type EndedMerge,
  endMerge,
  loadSurvivedMerges,
  type SurvivedMerge,
} from "./splits.ts";
export {
  deleteSupplementEntries,
  insertSupplementEntries,
  type SupplementEntry,
} from "./supplementEntries.ts";
export {
  insertSupplementRecords,
  lockSupplementRecords,
  type StoredSupplementRecord,
  type SupplementRecordKey,
  updateSupplementRecords,
} from "./supplementRecords.ts";
export {
  clearSupplements,
  countSupplementRows,
  lockSupplements,
  noteSupplementUpdates,
  type RemovedPage,
  readSupplementClearsBelow,
  removeClearedRecords,
  type StoredSupplementClear,
  type SupplementUpdate,
} from "./supplementTables.ts";
