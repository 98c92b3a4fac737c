export {
  countIncludes,
  deleteInclude,
  type IncludeMembers,
  type IncludesPage,
  insertInclude,
  type ListedInclude,
  lockInclude,
  pageIncludes,
  readInclude,
  type StoredInclude,
  updateInclude,
} from "./includes.ts";
export {
  heightOfInclude,
  holdIncludes,
  type IncludeUser,
  lockIncludes,
  type ReachedInclude,
  reachIncludes,
  readIncludeContents,
  setIncludesUsed,
  usersOfInclude,
} from "./includeUses.ts";
