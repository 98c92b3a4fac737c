export {
  type ActivityResolutions,
  deleteOldResolutions,
  insertResolutions,
  type LogPartition,
  readResolutions,
} from "./activityResolutions.ts";
export { lockBatchAccounts } from "./batchAccounts.ts";
export { type HighWatermarks, type LogEnd, offsetsOfEnds, readLogEnds } from "./logEnds.ts";
export { countLosses } from "./losses.ts";
export type { Loss, OffsetMark } from "./offsetMark.ts";
export { createOffsetsWatch, type OffsetsWatch } from "./offsetsWatch.ts";
export { claimRange, finishRange, replaceRange } from "./pendingRanges.ts";
export {
  advanceOffsets,
  claimShared,
  detachRange,
  finishShared,
  type RangeClaim,
  type RangeStep,
  type StoredRange,
} from "./sharedRanges.ts";
export {
  FIRST_GENERATION,
  keyValues,
  lockOffset,
  noteHeld,
  noteSeen,
  type OffsetKey,
  OffsetMoved,
  type OpenOffset,
  openOffset,
  type PendingRange,
  readGeneration,
  readOffsets,
  type StoredOffset,
  setOffset,
} from "./streamOffsets.ts";
