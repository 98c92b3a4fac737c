/** Rate at which the log takes what waits. */
export interface DrainRate {
  sent(bytes: number, durationMs: number): void;
  /**
   * @param underWay the send that has no answer yet: one that takes longer than usual lowers the rate before it ends.
   * @returns bytes a millisecond; undefined before anything was learned.
   */
  bytesPerMs(underWay: { readonly bytes: number; readonly sinceMs: number }): number | undefined;
}

/** Bytes after which what was seen is forgotten. */
const MEMORY_BYTES = 8 * 1024 * 1024;
const DURATION_MS_MIN = 0.1;
/** A send of less tells the time of a round trip, not how fast a full one would be. */
const TELLING_BYTES = 64 * 1024;

/** Bytes over time of the last sends that were large enough to tell, old ones fading as new bytes come. */
export function createDrainRate(): DrainRate {
  let bytes = 0;
  let durationMs = 0;
  return {
    sent(sentBytes, tookMs) {
      if (sentBytes < TELLING_BYTES) return;
      const kept = Math.max(0, 1 - sentBytes / MEMORY_BYTES);
      bytes = bytes * kept + sentBytes;
      durationMs = durationMs * kept + Math.max(DURATION_MS_MIN, tookMs);
    },
    bytesPerMs(underWay) {
      const usual = bytes === 0 ? undefined : bytes / durationMs;
      if (underWay.bytes < TELLING_BYTES || usual === undefined) return usual;
      return Math.min(usual, underWay.bytes / Math.max(DURATION_MS_MIN, underWay.sinceMs));
    },
  };
}
