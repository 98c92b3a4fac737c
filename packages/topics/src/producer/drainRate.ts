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
/** A smaller send measures the time of a round trip, not how fast a full one would be. */
const MEASURED_BYTES_MIN = 64 * 1024;

/** Bytes over time of the last sends that were large enough to measure, old ones fading as new bytes come. */
export function createDrainRate(): DrainRate {
  let bytes = 0;
  let durationMs = 0;
  return {
    sent(sentBytes, tookMs) {
      if (sentBytes < MEASURED_BYTES_MIN) return;
      const stored = Math.max(0, 1 - sentBytes / MEMORY_BYTES);
      bytes = bytes * stored + sentBytes;
      durationMs = durationMs * stored + Math.max(DURATION_MS_MIN, tookMs);
    },
    bytesPerMs(underWay) {
      const fallback = bytes === 0 ? undefined : bytes / durationMs;
      if (underWay.bytes < MEASURED_BYTES_MIN || fallback === undefined) return fallback;
      return Math.min(fallback, underWay.bytes / Math.max(DURATION_MS_MIN, underWay.sinceMs));
    },
  };
}
