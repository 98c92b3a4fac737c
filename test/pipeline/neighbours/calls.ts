import { performance } from "node:perf_hooks";

/** One kind of call of an account, as both sides of the test make it. */
export interface Target {
  readonly url: string;
  readonly method: "GET" | "POST";
  readonly key: string;
  readonly body?: string;
  readonly signal?: AbortSignal;
}

export interface Answered {
  readonly status: number;
  readonly ms: number;
  readonly text: string;
}

/** @returns undefined when it was broken off. */
export async function callOnce({ url, method, key, body, signal }: Target): Promise<Answered | undefined> {
  const headers = {
    authorization: `Basic ${Buffer.from(`${key}:`).toString("base64")}`,
    "x-api-key": key,
    ...(body !== undefined && { "content-type": "application/json" }),
  };
  const begunMs = performance.now();
  try {
    const answer = await fetch(url, {
      method,
      headers,
      ...(body !== undefined && { body }),
      ...(signal && { signal }),
    });
    const text = await answer.text();
    return { status: answer.status, ms: performance.now() - begunMs, text };
  } catch (error) {
    if (signal?.aborted) return undefined;
    throw error;
  }
}

/** Counts of answers by status, and the times of the accepted ones. */
export interface Tally {
  readonly statuses: Map<number, number>;
  readonly times: number[];
  /** Bodies of answers that are a defect of ours. */
  readonly failures: string[];
}

export function newTally(): Tally {
  return { statuses: new Map(), times: [], failures: [] };
}

export function count(tally: Tally, { status, ms, text }: Answered): void {
  tally.statuses.set(status, (tally.statuses.get(status) ?? 0) + 1);
  if (status < 300) tally.times.push(ms);
  if (status >= 500) tally.failures.push(`${status} after ${Math.round(ms)} ms: ${text}`);
}

/** The time that so much of all are below. */
export function percentile(times: readonly number[], share: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

/** A write of /v2 that makes the contact with this address, or finds it. */
export function written(address: string) {
  return { channels: { email: { address, subscribeStatus: "subscribed" } } };
}
