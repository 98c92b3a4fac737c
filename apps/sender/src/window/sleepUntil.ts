/** Resolves at a time of the monotonic clock, or when the signal is aborted. */
export function sleepUntil(atMs: number, signal: AbortSignal): Promise<void> {
  const waitMs = atMs - performance.now();
  if (waitMs <= 0 || signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const wake = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", wake);
      resolve();
    };
    const timer = setTimeout(wake, waitMs);
    signal.addEventListener("abort", wake);
  });
}
