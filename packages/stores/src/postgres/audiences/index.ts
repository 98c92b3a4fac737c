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
  readAudienceKeys,
  readAudiencesReached,
  setAudiencesUsed,
  usersOfAudience,
} from "./audienceUses.ts";
