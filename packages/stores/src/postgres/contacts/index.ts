export {
  type ContactsPage,
  type ContactWithLists,
  pageContacts,
  readCids,
  readContactByCid,
  readContactByIdentifiers,
  readFirstNumber,
  readShownContacts,
  type ShownContact,
  viewContactByCid,
  viewContactByIdentifiers,
} from "./contactReads.ts";
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
  type FormerIdentifierRow,
  giveFormerIdentifiers,
  insertFormerIdentifiers,
  loadFormerIdentifiers,
  takeFormerIdentifiers,
} from "./formerIdentifiers.ts";
export { type HashedAddress, type HashesAsked, loadHashedAddresses } from "./hashedIdentifiers.ts";
export { createHashIndexes, findIndexChanges, type HashIndexesOptions } from "./hashIndexes.ts";
export {
  deleteIdentifiers,
  hasIdentifierNamed,
  type IdentifierKey,
  type IdentifierRow,
  insertIdentifiers,
  loadIdentifiers,
  moveIdentifiers,
  pageIdentifierValues,
} from "./identifiers.ts";
export { type FoundContact, type LoadContacts, liveContactParts, readLive } from "./liveContacts.ts";
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
} from "./profileReads.ts";
export { takeContactNumbers, takeOutboxPositions } from "./sequences.ts";
