export { readActivitiesEnds } from "./activitiesEnds.ts";
export { adoptCluster, type ClusterAdoption, type ClusterSeen, planClusterAdoption } from "./adoptCluster.ts";
export type { GroupCommit, LogWitness, OffsetRange, PublishedPlace, TopicEnd } from "./evidence.ts";
export { isOfIdentity, sentenceOf } from "./findLosses.ts";
export { createGuardRounds } from "./guardRounds.ts";
export type { LostChanges } from "./lostChanges.ts";
export { lossesSeenByClickHouse, lossesSeenByLog } from "./readEvidence.ts";
export { createStoreGuard, type StoreGuard, type StoreGuardOptions, type Witness } from "./storeGuard.ts";
export { identityLosses } from "./storeIdentity.ts";
export {
  beginRecovery,
  endRecovery,
  type NumbersSeen,
  type OpenRecovery,
  readOpenRecovery,
  readWithdrawnRanges,
  reserveLists,
  setRelayOffsets,
  skipNumbers,
  type WithdrawnRange,
  withdrawRanges,
} from "./storeRecoveries.ts";
export {
  type ActivitiesBound,
  countActivities,
  type GreatestNumbers,
  readGreatestNumbers,
  withdrawActivities,
  withdrawChanges,
} from "./withdraw.ts";
