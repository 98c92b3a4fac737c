export { deleteHandover, type Handover, insertHandover, type LogPartition, readHandover } from "./handover.ts";
export type { Loss, OffsetMark } from "./offsetMark.ts";
export { createOffsetsWatch, type OffsetsWatch } from "./offsetsWatch.ts";
export { claimRange, finishRange, replaceRange } from "./pendingRanges.ts";
export {
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
