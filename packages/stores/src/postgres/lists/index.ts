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
  makeMissingLists,
  type NewLists,
  pageLists,
  type StoredList,
  unmakeLists,
  updateList,
} from "./lists.ts";
export {
  loadMemberships,
  loadMembershipsOfContacts,
  type MembershipKey,
  type StoredMembership,
  upsertMemberships,
} from "./memberships.ts";
export { findNamedLists, type ListsNamed, type NamedList } from "./namedLists.ts";
export {
  archivePartnerList,
  ensurePartnerList,
  findPartnerList,
  freePartnerListName,
  type NewPartnerList,
  type PartnerListKey,
  type PartnerListRow,
  renamePartnerList,
} from "./partnerLists.ts";
