import { setTimeout as sleep } from "node:timers/promises";
import type { AnswerParts, Exchange, Exchanged, Request } from "./exchange.ts";
import { decide, mayBeAccepted, type RetryPolicy } from "./retry.ts";

/** Reports a wait before another attempt. It holds nothing of an item, and no key. */
export interface RetryEvent {
  /** Path of the request. */
  readonly path: string;
  /** Attempts made so far. */
  readonly attempt: number;
  readonly waitMs: number;
  /** Status of the answer; absent when there was none. */
  readonly status?: number | undefined;
  readonly code?: string | undefined;
}

export interface Persistence {
  readonly exchange: Exchange;
  readonly policy: RetryPolicy;
  readonly onRetry?: ((event: RetryEvent) => void) | undefined;
}

export type Persisted =
  | ({ readonly kind: "answered" | "tooLarge"; readonly status: number } & AnswerParts)
  | { readonly kind: "gaveUp"; readonly mayBeAccepted: boolean; readonly last: Exchanged };

export interface Ask {
  readonly request: Request;
  /** Ends attempts and waits. */
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  /** False for an answer that is not one: it counts as lost. */
  readonly isReadable?: (status: number, body: unknown) => boolean;
}

/** Sends one request, the same bytes under the same headers, until it is answered for good or the time is up. */
export async function persist({ exchange, policy, onRetry }: Persistence, ask: Ask): Promise<Persisted> {
  const { request, signal, timeoutMs } = ask;
  const startedAtMs = performance.now();
  let isDoubtful = false;
  // Bounded by policy.giveUpAfterMs: every wait takes at least half of policy.minMs.
  for (let attempt = 1; ; attempt++) {
    const ended = readable(await exchange(request, signal, timeoutMs), ask);
    const tried = { attempt, elapsedMs: performance.now() - startedAtMs, random: Math.random() };
    const decision = decide(ended, tried, policy);
    if (ended.kind === "answered" && decision.kind === "settled") return ended;
    if (ended.kind === "answered" && decision.kind === "tooLarge") return { ...ended, kind: "tooLarge" };
    isDoubtful ||= mayBeAccepted(ended);
    if (decision.kind !== "retry" || signal.aborted) return { kind: "gaveUp", mayBeAccepted: isDoubtful, last: ended };
    const { status, code } = ended.kind === "answered" ? ended : {};
    onRetry?.({ path: request.url.pathname, attempt, waitMs: decision.waitMs, status, code });
    if (!(await waited(decision.waitMs, signal))) return { kind: "gaveUp", mayBeAccepted: isDoubtful, last: ended };
  }
}

function readable(ended: Exchanged, { isReadable }: Ask): Exchanged {
  if (ended.kind === "lost" || isReadable === undefined || isReadable(ended.status, ended.body)) return ended;
  return { kind: "lost", cause: new Error(`the answer with status ${ended.status} is unreadable`) };
}

/** @returns false when the signal came first. */
async function waited(ms: number, signal: AbortSignal): Promise<boolean> {
  return sleep(ms, true, { signal }).catch((error: unknown) => {
    if (signal.aborted) return false;
    throw error;
  });
}
