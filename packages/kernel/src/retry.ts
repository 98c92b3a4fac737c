import { type BackOff, backOffMs, sleepUntilAborted } from "./backOff.ts";
import { HeadwaterError } from "./errors.ts";
import { classifyFailure } from "./failures.ts";

export interface RetryOptions extends BackOff {
  /** Ends the retrying; its reason is what the promise rejects with. */
  readonly signal: AbortSignal;
  /** Called before each wait with the error, how often it failed (from 1), and how long the wait is. */
  readonly onRetry: (failure: { readonly error: unknown; readonly attempt: number; readonly waitMs: number }) => void;
  /** Selects the errors worth another attempt; default all but a HeadwaterError that is not retriable. */
  readonly isRetriable?: (error: unknown) => boolean;
}

/**
 * Calls `fn` until it succeeds: for infrastructure that is away, where giving up would lose something.
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
      const waitMs = backOffMs(attempt, options);
      options.onRetry({ error, attempt, waitMs });
      await sleepUntilAborted(waitMs, options.signal);
    }
  }
}

/** A loop outlives a defect that nobody isolated: it is tried again, and logged each time. What refuses for good ends it. */
function isWorthRetrying(error: unknown): boolean {
  return classifyFailure(error) === "infrastructure" || !(error instanceof HeadwaterError);
}

/** Parts of a bound in time: a process that a busy machine stopped for seconds has used up one of them, and then reads the answer that waits. */
const TIMEOUT_PARTS = 4;

/**
 * Bounds a call in time. `fn` gets a signal that fires when the time is up or `signal` fires; the promise rejects then
 * even when `fn` does not listen. Time in which the process itself stood still hardly counts: it says nothing about who was called.
 * @throws HeadwaterError `SERVICE_UNAVAILABLE` (retriable) after `timeoutMs`, or the reason of `signal`.
 */
export async function withTimeout<Result>(
  fn: (signal: AbortSignal) => Promise<Result>,
  timeoutMs: number,
  signal?: AbortSignal,
): Promise<Result> {
  signal?.throwIfAborted();
  const bound = new AbortController();
  const timer = afterParts(timeoutMs, () => bound.abort(timedOut(timeoutMs)));
  // By hand and not by AbortSignal.any, so that a signal as old as the process keeps nothing of a finished call.
  const onAbort = () => bound.abort(signal?.reason);
  signal?.addEventListener("abort", onAbort);
  try {
    return await Promise.race([fn(bound.signal), rejectWhenAborted(bound.signal)]);
  } catch (error) {
    // A driver may wrap the signal's reason in an error of its own; callers get the reason itself.
    throw bound.signal.aborted ? bound.signal.reason : error;
  } finally {
    timer.clear();
    signal?.removeEventListener("abort", onAbort);
  }
}

/** Calls `then` once after so long, in turns of the event loop: what arrived meanwhile is read between them. */
function afterParts(ms: number, then: () => void): { clear(): void } {
  let left = TIMEOUT_PARTS;
  const timer = setTimeout(
    () => {
      left -= 1;
      if (left > 0) timer.refresh();
      else then();
    },
    Math.ceil(ms / TIMEOUT_PARTS),
  );
  return { clear: () => clearTimeout(timer) };
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
