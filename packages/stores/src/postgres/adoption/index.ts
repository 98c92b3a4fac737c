export type { AdoptedGroup, Adoption, PublishedMove } from "./adoption.ts";
export { type AdoptedPartition, AdoptionStale, adoptPartition, countLostActivities } from "./adoptLog.ts";
export { type LostCount, readLost } from "./lostCounts.ts";
export { noteOperation, type OperatorEntry } from "./operatorLog.ts";
