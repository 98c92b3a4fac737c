export {
  clearLists,
  deleteCleared,
  KEPT_PAGE_ROWS,
  type KeptPage,
  type ListClear,
  lockMemberships,
  readClearsAfter,
  readClearsBelow,
  readGivenBack,
  readKept,
} from "./listClears.ts";
export { countLists, countMembers, countMembersOf, type ListsPage, pageLists } from "./listPages.ts";
export {
  deleteList,
  ensureLists,
  insertList,
  type ListName,
  type ListOfContact,
  type ListsOfPage,
  listNameKey,
  listsOfContacts,
  loadGreatestListIds,
  loadListsById,
  loadListsByName,
  lockNames,
  makeMissingLists,
  type NewLists,
  pageListsOfContacts,
  type StoredList,
  unmakeLists,
  updateList,
} from "./lists.ts";
export {
  countListsOfContacts,
  loadMemberships,
  loadMembershipsOfContacts,
  type MembershipKey,
  type StoredMembership,
  upsertMemberships,
} from "./memberships.ts";
export { findNamedLists, type ListsNamed, type NamedList, readGoneNames, readListsGoneSince } from "./namedLists.ts";
export { deletePartnerListChanges, makePartnerListChange, type PartnerListChangeKey } from "./partnerListChanges.ts";
export {
  archivePartnerList,
  ensurePartnerList,
  findPartnerList,
  freePartnerListName,
  type NewPartnerList,
  openPartnerList,
  type PartnerListKey,
  type PartnerListRow,
  renamePartnerList,
} from "./partnerLists.ts";
