export { readActivitiesEnds } from "./activitiesEnds.ts";
export { adoptCluster, type ClusterAdoption, type ClusterSeen, planClusterAdoption } from "./adoptCluster.ts";
export { clearStore, dropStagingTables } from "./clickHouseWitness/clearStore.ts";
export {
  type ClickHouseWitness,
  type ClickHouseWitnessOptions,
  createClickHouseWitness,
  type WitnessStores,
} from "./clickHouseWitness/clickHouseWitness.ts";
export { findStoreLosses, sentenceOfLosses } from "./clickHouseWitness/findStoreLosses.ts";
export { readHeldStore } from "./clickHouseWitness/heldStore.ts";
export { readKnownStore, renewIdentity } from "./clickHouseWitness/knownStore.ts";
export {
  beginHistoryAt,
  beginRebuild,
  endRebuild,
  moveRebuild,
  type OpenRebuild,
  readOpenRebuild,
  readSinkOffsets,
  restartSinks,
  type SinkOffset,
} from "./clickHouseWitness/rebuilds.ts";
export { type StreamEnd, streamOf } from "./clickHouseWitness/storeFacts.ts";
export { bulkWithWitness, withWitness } from "./clickHouseWitness/withWitness.ts";
export { createWitnessRounds } from "./clickHouseWitness/witnessRounds.ts";
export { createWitnessStores, establishIdentity } from "./clickHouseWitness/witnessStores.ts";
export type { GroupCommit, LogWitness, OffsetRange, PublishedPlace, TopicEnd } from "./evidence.ts";
export { isOfIdentity, sentenceOf } from "./findLosses.ts";
export { createGuardRounds } from "./guardRounds.ts";
export type { LostChanges } from "./lostChanges.ts";
export { lossesSeenByClickHouse, lossesSeenByLog } from "./readEvidence.ts";
export { createStoreGuard, type StoreGuard, type StoreGuardOptions, type Witness } from "./storeGuard.ts";
export { identityLosses, readIdentityFacts } from "./storeIdentity.ts";
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
