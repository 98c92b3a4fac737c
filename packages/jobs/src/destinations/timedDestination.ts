import type { Destination, Upload } from "./destination.ts";
import { LeastRate, type LeastRateLimits, storageRate } from "./leastRate.ts";
import { storageRefused } from "./storageFailure.ts";

/** Time that a destination outside may take. */
export interface DestinationTimes extends LeastRateLimits {
  /** Time for beginning a file, and for removing what is left of one. */
  readonly openMs: number;
  /** Time for finishing a file whose bytes it has. */
  readonly finishMs: number;
}

/** Two parts of an upload may be on their way. */
const BUFFERED_BYTES_MAX = 16 * 1024 * 1024;
export const destinationTimes: DestinationTimes = {
  ...storageRate,
  bufferedBytesMax: BUFFERED_BYTES_MAX,
  openMs: 300_000,
  finishMs: 600_000,
};

/** Bounds the time for which a destination outside holds the worker that writes to it. */
export function timedDestination(destination: Destination, times: DestinationTimes): Destination {
  return {
    check: (signal) => within(times.openMs, signal, (ended) => destination.check(ended)),
    discard: (name, signal) => within(times.openMs, signal, (ended) => destination.discard(name, ended)),
    async open(name, signal) {
      const ended = new AbortController();
      const both = AbortSignal.any([signal, ended.signal]);
      const giveUp = (reason: Error) => ended.abort(reason);
      const opened = await endedAfter(times.openMs, giveUp, () => destination.open(name, both));
      return timedUpload(opened, giveUp, times);
    },
  };
}

function timedUpload(upload: Upload, giveUp: (reason: Error) => void, times: DestinationTimes): Upload {
  const rate = new LeastRate(times);
  return {
    async write(chunk) {
      rate.moved(chunk.length);
      await rate.wait(() => upload.write(chunk), giveUp);
    },
    finish: () => endedAfter(times.finishMs, giveUp, () => upload.finish()),
    abort: () => upload.abort(),
  };
}

function within<Done>(ms: number, signal: AbortSignal, call: (ended: AbortSignal) => Promise<Done>): Promise<Done> {
  const ended = new AbortController();
  const giveUp = (reason: Error) => ended.abort(reason);
  return endedAfter(ms, giveUp, () => call(AbortSignal.any([signal, ended.signal])));
}

/** Waits for a call, and no longer than its time. */
async function endedAfter<Done>(ms: number, giveUp: (reason: Error) => void, call: () => Promise<Done>): Promise<Done> {
  const { promise: over, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    const error = storageRefused("tooSlow");
    giveUp(error);
    reject(error);
  }, ms);
  try {
    return await Promise.race([over, call()]);
  } finally {
    clearTimeout(timer);
  }
}
