import { setTimeout as sleep } from "node:timers/promises";
import { HeadwaterError } from "./errors.ts";
import { classifyFailure } from "./failures.ts";

export interface RetryOptions {
  /** Ends the retrying; its reason is what the promise rejects with. */
  readonly signal: AbortSignal;
  /** Upper bound of the first wait; it doubles with every attempt. */
  readonly minMs: number;
  /** Upper bound of every wait. */
  readonly maxMs: number;
  /** Told before each wait: the error, how often it failed (from 1), and how long the wait is. */
  readonly onRetry: (failure: { readonly error: unknown; readonly attempt: number; readonly waitMs: number }) => void;
  /** Which errors are worth another attempt; default all but a HeadwaterError that is not retriable. */
  readonly isRetriable?: (error: unknown) => boolean;
  /** 0 to below 1; default Math.random. */
  readonly random?: () => number;
}

/**
 * Calls `fn` until it succeeds: for infrastructure that is away, where giving up would lose something. Waits are spread
 * evenly over 0 to the bound ("full jitter"), so that many processes do not come back in step.
 * @throws the signal's reason, or the error that is not worth another attempt.
 */
export async function retryForever<Result>(
  fn: (signal: AbortSignal) => Promise<Result>,
  options: RetryOptions,
): Promise<Result> {
  const { isRetriable = isWorthRetrying } = options;
  for (let attempt = 1; ; attempt += 1) {
    options.signal.throwIfAborted();
    try {
      return await fn(options.signal);
    } catch (error) {
      options.signal.throwIfAborted();
      if (!isRetriable(error)) {
        throw error;
      }
      const waitMs = jitteredWaitMs(attempt, options);
      options.onRetry({ error, attempt, waitMs });
      await sleepUntilAborted(waitMs, options.signal);
    }
  }
}

/** A loop outlives a defect that nobody isolated: it is tried again, and told each time. What refuses for good ends it. */
function isWorthRetrying(error: unknown): boolean {
  return classifyFailure(error) === "infrastructure" || !(error instanceof HeadwaterError);
}

function jitteredWaitMs(attempt: number, { minMs, maxMs, random = Math.random }: RetryOptions): number {
  return Math.floor(random() * Math.min(maxMs, minMs * 2 ** Math.min(attempt - 1, 30)));
}

async function sleepUntilAborted(waitMs: number, signal: AbortSignal): Promise<void> {
  try {
    await sleep(waitMs, undefined, { signal });
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  }
}

/**
 * Bounds a call in time. `fn` gets a signal that fires when the time is up or `signal` fires; the promise rejects then
 * even when `fn` does not listen.
 * @throws HeadwaterError `SERVICE_UNAVAILABLE` (retriable) after `timeoutMs`, or the reason of `signal`.
 */
export async function withTimeout<Result>(
  fn: (signal: AbortSignal) => Promise<Result>,
  timeoutMs: number,
  signal?: AbortSignal,
): Promise<Result> {
  signal?.throwIfAborted();
  const bound = new AbortController();
  const timer = setTimeout(() => bound.abort(timedOut(timeoutMs)), timeoutMs);
  // By hand and not by AbortSignal.any, so that a signal as old as the process keeps nothing of a finished call.
  const onAbort = () => bound.abort(signal?.reason);
  signal?.addEventListener("abort", onAbort);
  try {
    return await Promise.race([fn(bound.signal), rejectWhenAborted(bound.signal)]);
  } catch (error) {
    // A driver may wrap the signal's reason in an error of its own; callers get the reason itself.
    throw bound.signal.aborted ? bound.signal.reason : error;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", onAbort);
  }
}

function rejectWhenAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}

function timedOut(timeoutMs: number): HeadwaterError {
  return new HeadwaterError({
    code: "SERVICE_UNAVAILABLE",
    status: 503,
    publicMessage: "A dependency of the service timed out.",
    retriable: true,
    cause: new Error(`no answer in ${timeoutMs} ms`),
  });
}
