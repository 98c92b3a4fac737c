import { setTimeout as sleep } from "node:timers/promises";
import { callOnce, count, newTally, type Tally, type Target, written } from "./calls.ts";

const BATCH_ITEMS = 1_000;
const WIDE_ITEMS = 20_000;
const JOBS = 40;
/** The machine that attacks is the one that is attacked: what is refused is not asked for again at once. */
const PAUSE_MS = 250;
const REFUSED = 300;

/** The part of a caller that another thread can be given. */
export interface Attacker {
  readonly connection: { readonly ingressUrl: string; readonly serviceUrl: string };
  readonly key: string;
}

/** Everything an account can ask for, at once and without end. @returns how it was answered, by kind. */
export function attack(
  { connection, key }: Attacker,
  { receipt: first, signal }: { readonly receipt: string; readonly signal: AbortSignal },
): Promise<ReadonlyMap<string, Tally>> {
  const { ingressUrl, serviceUrl } = connection;
  const intake = (operation: string, body: object) => post(`${ingressUrl}/api/${operation}`, body);
  const post = (url: string, body: object): Target => ({
    url,
    method: "POST",
    key,
    body: JSON.stringify(body),
    signal,
  });
  const get = (path: string): Target => ({ url: `${serviceUrl}${path}`, method: "GET", key, signal });
  let receipt = first;
  const note = (text: string) => {
    receipt = /"receipt":"([^"]+)"/.exec(text)?.[1] ?? receipt;
  };
  const batch = {
    items: Array.from({ length: BATCH_ITEMS }, (_, n) => upsert(`h${n}@example.com`, { n, text: "x".repeat(150) })),
  };
  const batches = intake("upsertContact/batch", batch);
  const counts = post(`${serviceUrl}/v2/audiencecount`, SLOW_CRITERIA);
  const wide = Array.from({ length: WIDE_ITEMS }, (_, n) => n);
  let grown = 0;
  const kinds: readonly (readonly [string, number, () => Target])[] = [
    ["batches", 6, () => batches],
    ["waits", 300, () => get(`/v2/receipts/${receipt}?wait=30`)],
    ["after", 10, () => get(`/v2/orders?after=${receipt}`)],
    ["counts", 40, () => counts],
    ["searches", 4, () => get("/v2/contacts?attributes[text]=x&return_count=true")],
    [
      "growing contact",
      2,
      () => intake("upsertContact", upsert("grows@example.com", { [`a${grown++}`]: "y".repeat(20_000) })),
    ],
    ["wide arrays", 2, () => intake("upsertContact", upsert("wide@example.com", { big: { add: wide } }))],
    ["made-up cursors", 2, () => get(`/v2/jobs?cursor=${Math.random()}`)],
    [
      "writes",
      20,
      () => post(`${serviceUrl}/v2/contacts`, { ...written("w@example.com"), attributes: { n: grown++ } }),
    ],
  ];
  const tallies = new Map(kinds.map(([kind]) => [kind, newTally()]));
  const loop = async (tally: Tally, next: () => Target) => {
    while (!signal.aborted) {
      const answered = await callOnce(next());
      if (answered === undefined) return;
      note(answered.text);
      count(tally, answered);
      if (answered.status >= REFUSED) await sleep(PAUSE_MS);
    }
  };
  const loops = kinds.flatMap(([kind, connections, next]) =>
    Array.from({ length: connections }, () => loop(tallies.get(kind) ?? newTally(), next)),
  );
  return Promise.all(loops).then(() => tallies);
}

/** Fills the queue of jobs. @returns how they were answered. */
export async function fillJobs({ connection, key }: Attacker): Promise<Tally> {
  const tally = newTally();
  const url = `${connection.serviceUrl}/v2/contacts/email:grows@example.com/downloadprofile`;
  const start = { url, method: "POST", key, body: JSON.stringify({ exportType: "json" }) } as const;
  for (let n = 0; n < JOBS; n++) {
    const answered = await callOnce(start);
    if (answered !== undefined) count(tally, answered);
  }
  return tally;
}

function upsert(email: string, attributes: object) {
  return { identifiers: { email }, attributes, canBeCreated: true };
}

const SLOW_CRITERIA = {
  or: Array.from({ length: 20 }, (_, n) => ({ field: "identifiers.email", op: "contains", value: `${n}@` })),
};
