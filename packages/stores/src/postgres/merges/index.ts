export { type MergeOfContact, readMergesOfContact } from "./mergeReads.ts";
export { insertMerges, type MergedContact, type MergeRow, moveToSurvivors } from "./merges.ts";
export { dropMemberships, type EndedMerge, endMerge, loadSurvivedMerges, type SurvivedMerge } from "./splits.ts";
