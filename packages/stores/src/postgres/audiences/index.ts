export {
  type AudienceMembers,
  countAudiences,
  deleteAudience,
  insertAudience,
  type ListedAudience,
  lockAudience,
  lockAudiences,
  pageAudiences,
  readAudience,
  type StoredAudience,
  setLastCount,
  updateAudience,
} from "./audiences.ts";
export {
  type AudienceUser,
  type NamedAudience,
  readAudienceKeys,
  readAudienceNames,
  readAudiencesReached,
  readNamedAudiences,
  setAudiencesUsed,
  usersOfAudience,
} from "./audienceUses.ts";
