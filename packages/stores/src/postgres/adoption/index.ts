export { type AdoptedGroup, type AdoptedPartition, type Adoption, AdoptionStale, adoptPartition } from "./adoptLog.ts";
export { type LostCount, readLost } from "./lostCounts.ts";
export { noteOperation, type OperatorEntry } from "./operatorLog.ts";
