import { setImmediate } from "node:timers/promises";
import { operations } from "@headwater/intake/operations/registry";
import { seedFrom } from "@headwater/testing";
import fc from "fast-check";
import { expect } from "vitest";
import { fire, type Hit } from "./fuzz/fire.ts";
import { type Plan, planOf, surePlansOf, toShot } from "./fuzz/shots.ts";
import { SECRET, type Target, targetsFor } from "./fuzz/targets.ts";
import { test } from "./sharedStack.ts";
import type { Caller, Stack } from "./stack.ts";

/** `npm run fuzz` asks for more; the same seed sends the same requests. */
const REQUESTS = Number(process.env.FUZZ_REQUESTS || 960);
const SEED = seedFrom(process.env.FUZZ_SEED);
const CONCURRENCY = 8;
/** Plans are made in parts: all of them at once would not fit into memory. */
const PART = 50;
const MARKERS_READ_MAX = 2_000;
const RESOLVED_MS = 300_000;
const TIMEOUT_MS = 120_000 + RESOLVED_MS + REQUESTS * 60;

const ENDPOINTS = 32;

let stack: Stack;
let caller: Caller;
test.beforeAll(async ({ stack: shared }) => {
  stack = shared;
  const secrets = { secrets: [SECRET] };
  caller = await stack.caller("fuzz", { listsync: { ...secrets, canBeCreated: true }, subscriptionsync: secrets });
});

test(`no request ends in a 5xx, no neighbour is lost and accounting is exact at the end (FUZZ_SEED=${SEED})`, {
  timeout: TIMEOUT_MS,
}, async () => {
  const targets = targetsFor(caller);
  expect(new Set(targets.map(({ name }) => name)).size).toBe(ENDPOINTS);
  const seen = newTally();
  const each = Math.ceil(REQUESTS / targets.length);
  await inParallel(targets.flatMap(surePlansOf), (plan) => send(plan, seen));
  for (let from = 0; from < each; from += PART) {
    const runs = Math.min(PART, each - from);
    const plans = targets.flatMap((target) => fc.sample(planOf(target), { seed: SEED + from, numRuns: runs }));
    // Making them takes seconds: connections that the server closed meanwhile are noticed before they are used.
    await setImmediate();
    await inParallel(plans, (plan) => send(plan, seen));
  }
  // The message tells them whole: a difference of arrays is cut.
  expect.soft(seen.wrong, seen.wrong.join("\n")).toEqual([]);
  for (const { name } of targets)
    expect([name, seen.taken.get(name) ?? 0]).toEqual([name, expect.toSatisfy((n) => n > 0)]);
  for (const { name } of targets)
    expect([name, seen.refused.get(name) ?? 0]).toEqual([name, expect.toSatisfy((n) => n > 0)]);
  await expectExact(seen);
});

async function send(plan: Plan, seen: Tally): Promise<void> {
  const number = seen.sent++;
  const shot = toShot(plan, { neighbour: neighbourOf(plan.target, number), number });
  const hit = await fire(plan, shot, { caller, origin: stack.ingressUrl });
  note(seen, plan.target, hit);
  if (hit.wrong !== undefined)
    seen.wrong.push(`${plan.target.name}, ${shot.bytes.toString().slice(0, 500)}: ${hit.wrong}`);
  // Of a spoilt batch of lines the others may be taken, and the marker's line may be the one that was hit.
  const isTaken = hit.receipt !== undefined && shot.isWhole && !shot.isDry;
  if (isTaken && isContactBatch(plan.target)) seen.markers.push(number);
}

interface Tally {
  sent: number;
  readonly wrong: string[];
  readonly taken: Map<string, number>;
  readonly refused: Map<string, number>;
  /** Endpoints by the receipts of their answers. */
  readonly receipts: Map<string, string>;
  readonly markers: number[];
}

function newTally(): Tally {
  return { sent: 0, wrong: [], taken: new Map(), refused: new Map(), receipts: new Map(), markers: [] };
}

function note(seen: Tally, { name }: Target, { status, receipt }: Hit): void {
  const counts = status < 300 ? seen.taken : seen.refused;
  counts.set(name, (counts.get(name) ?? 0) + 1);
  if (receipt !== undefined) seen.receipts.set(receipt, name);
}

const isContactBatch = ({ name }: Target) => name === "upsertContact/batch";
const markerOf = (number: number) => `marker-${number}@fuzz.example.com`;

/** An item that is right: of contacts one of its own, which is searched for at the end. */
function neighbourOf(target: Target, number: number): unknown {
  const operation = operations.find(({ name }) => `${name}/batch` === target.name);
  if (!isContactBatch(target)) return operation?.sample;
  return { identifiers: { email: markerOf(number) }, attributes: { number }, canBeCreated: true };
}

/** Expects accounting to count what the receipts say was accepted, and every marker to be there. */
async function expectExact({ receipts, markers }: Tally): Promise<void> {
  const accounting = async () => (await caller.get("/v2/accounting")).body;
  const pendingOf = async () => sum((await accounting()).data.map(({ pending }: { pending: number }) => pending));
  await expect.poll(pendingOf, { timeout: RESOLVED_MS, interval: 1_000 }).toBe(0);
  const records = new Map<string, number>();
  await inParallel([...receipts], async ([receipt, name]) => {
    const { status, body } = await caller.get(`/v2/receipts/${receipt}`);
    expect(status).toBe(200);
    records.set(name, (records.get(name) ?? 0) + sum(Object.values(body.records)));
  });
  const { data, balanced } = await accounting();
  expect(balanced).toBe(true);
  const accepted = sum(data.map((line: { accepted: number }) => line.accepted));
  // Lines and endpoints say where the difference is.
  expect(accepted, JSON.stringify({ data, records: [...records] })).toBe(sum([...records.values()]));
  expect(markers.length).toBeGreaterThan(0);
  await inParallel(markers.slice(0, MARKERS_READ_MAX), async (number) => {
    const { status, body } = await caller.get(`/v2/contacts/email:${markerOf(number)}`);
    expect([status, body.attributes?.number]).toEqual([200, number]);
  });
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

async function inParallel<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const left = items.values();
  await Promise.all(
    Array.from({ length: CONCURRENCY }, async () => {
      for (const item of left) await work(item);
    }),
  );
}
