/** End of one attempt: with an answer, or without one (no connection, no answer in time, an answer that cannot be read). */
export type Ended =
  | {
      readonly kind: "answered";
      readonly status: number;
      readonly code?: string | undefined;
      readonly retryAfterMs?: number | undefined;
    }
  | { readonly kind: "lost" };

export interface RetryPolicy {
  /** Upper bound of the first wait; it doubles with every attempt. */
  readonly minMs: number;
  /** Upper bound of every wait that the API did not ask for. */
  readonly maxMs: number;
  /** Time since the first attempt after which no attempt begins. */
  readonly giveUpAfterMs: number;
  /** Bound on attempts; without it the time alone is the bound. */
  readonly attemptsMax?: number | undefined;
  /** Selects answers worth another attempt; default 408, 429, 5xx and a first call that is still running. */
  readonly isRetriable?: ((answer: Extract<Ended, { kind: "answered" }>) => boolean) | undefined;
}

export interface Tried {
  /** Attempts made, this one included. */
  readonly attempt: number;
  /** Time since the first attempt began. */
  readonly elapsedMs: number;
  /** 0 to below 1. */
  readonly random: number;
}

export type Decision =
  | { readonly kind: "settled" }
  /** The request is more than the API takes at once: nothing of it was accepted. */
  | { readonly kind: "tooLarge" }
  | { readonly kind: "retry"; readonly waitMs: number }
  | { readonly kind: "giveUp" };

const RETRIABLE_BELOW_500: ReadonlySet<number> = new Set([408, 429]);
/** A longer wait than this is not believed. */
export const RETRY_AFTER_MS_MAX = 60_000;
const DOUBLINGS_MAX = 30;

/** Decides what follows an attempt. Pure: the caller waits, and sends again under the same Idempotency-Key. */
export function decide(ended: Ended, tried: Tried, policy: RetryPolicy): Decision {
  const { giveUpAfterMs, attemptsMax = Number.POSITIVE_INFINITY, isRetriable = isRetriableByDefault } = policy;
  if (ended.kind === "answered" && !isRetriable(ended)) return { kind: ended.status === 413 ? "tooLarge" : "settled" };
  const asked = ended.kind === "answered" ? (ended.retryAfterMs ?? 0) : 0;
  const waitMs = Math.min(asked, RETRY_AFTER_MS_MAX) + backoffMs(tried, policy);
  const isOver = tried.attempt >= attemptsMax || tried.elapsedMs + waitMs > giveUpAfterMs;
  return isOver ? { kind: "giveUp" } : { kind: "retry", waitMs };
}

/** 409 is only ever the first call with this key, still running: its answer comes with the next attempt. */
function isRetriableByDefault({ status, code }: Extract<Ended, { kind: "answered" }>): boolean {
  return status >= 500 || RETRIABLE_BELOW_500.has(status) || code === "IDEMPOTENCY_IN_PROGRESS";
}

/** Half of the bound for certain, so that attempts are few, and half by chance, so that clients do not come back in step. */
function backoffMs({ attempt, random }: Tried, { minMs, maxMs }: RetryPolicy): number {
  const bound = Math.min(maxMs, minMs * 2 ** Math.min(attempt - 1, DOUBLINGS_MAX));
  return bound / 2 + (random * bound) / 2;
}

/** Returns whether an attempt that ended so may have been accepted: all but answers that say nothing was. */
export function mayBeAccepted(ended: Ended): boolean {
  return ended.kind === "lost" || ended.status >= 500 || ended.status === 409;
}

/** `Retry-After` in seconds or as a date, in milliseconds from now; undefined when there is none that can be read. */
export function readRetryAfter(header: string | null, nowMs: number): number | undefined {
  if (header === null || header.trim() === "") return undefined;
  const seconds = Number(header);
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1_000);
  const atMs = Date.parse(header);
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs - nowMs);
}
