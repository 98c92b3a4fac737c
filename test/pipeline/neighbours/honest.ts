import type { Caller } from "../stack.ts";
import { callOnce, count, newTally, percentile, type Tally, type Target, written } from "./calls.ts";

/** Kinds of calls of an ordinary account, each alone in its time. */
export type Calls = ReadonlyMap<string, Tally>;

/** One account's ordinary day: a record in, a contact read, one written, an audience counted; one call at a time. */
export async function work(
  { connection, key }: Caller,
  { name, untilMs }: { name: string; untilMs: number },
): Promise<Calls> {
  const { ingressUrl, serviceUrl } = connection;
  const contact = { identifiers: { email: `${name}@example.com` }, attributes: { plan: "gold" }, canBeCreated: true };
  const post = (url: string, body: object): Target => ({ url, method: "POST", key, body: JSON.stringify(body) });
  const kinds: readonly (readonly [string, Target])[] = [
    ["intake", post(`${ingressUrl}/api/upsertContact`, contact)],
    ["write", post(`${serviceUrl}/v2/contacts`, { ...written(`${name}@example.com`), attributes: { plan: "gold" } })],
    ["read", { url: `${serviceUrl}/v2/contacts/email:${name}@example.com`, method: "GET", key }],
    ["count", post(`${serviceUrl}/v2/audiencecount`, { and: [] })],
  ];
  const tallies = new Map(kinds.map(([kind]) => [kind, newTally()]));
  while (performance.now() < untilMs) {
    for (const [kind, target] of kinds) {
      const answered = await callOnce(target);
      if (answered !== undefined) count(tallies.get(kind) ?? newTally(), answered);
    }
  }
  return tallies;
}

/** All accounts' calls of a kind together. */
export function together(accounts: readonly Calls[], kind: string): Tally {
  const all = newTally();
  for (const { statuses, times } of accounts.flatMap((calls) => calls.get(kind) ?? [])) {
    for (const [status, n] of statuses) all.statuses.set(status, (all.statuses.get(status) ?? 0) + n);
    all.times.push(...times);
  }
  return all;
}

export function show(kind: string, { statuses, times }: Tally): string {
  const ms = (share: number) => percentile(times, share).toFixed(0);
  return `${kind}: ${JSON.stringify(Object.fromEntries(statuses))}, p50 ${ms(0.5)} ms, p99 ${ms(0.99)} ms`;
}
