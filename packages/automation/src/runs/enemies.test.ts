import { runInSlices } from "@headwater/kernel";
import { expect, test } from "vitest";
import type { Activity, Fact, Journey } from "../orchestrations/run.ts";
import { startOf } from "../orchestrations/start.ts";
import { activity, DAY, journeyOf, T0 } from "../orchestrations/testJourney.ts";
import { findStarts } from "./applyFacts.ts";
import { RunUnit } from "./runUnit.ts";

/** Time of the processor for which one work may hold the loop of a process. */
const LOOP_MS_MAX = 250;
const ACCOUNT = 1;
/** Text of an activity that is accepted; the one below is found nowhere in it, after a long search. */
const LONG = "a".repeat(230 * 1024);
const WORST = `b${"a".repeat(1_000)}`;

/** Returns the longest time of the processor that passed between two turns of the loop during some work. */
async function longestTurn(work: () => Promise<unknown>): Promise<number> {
  let [longestMs, isOver] = [0, false];
  let last = process.threadCpuUsage();
  const tick = () => {
    const { user, system } = process.threadCpuUsage(last);
    longestMs = Math.max(longestMs, (user + system) / 1_000);
    last = process.threadCpuUsage();
    if (!isOver) setImmediate(tick);
  };
  setImmediate(tick);
  await work();
  isOver = true;
  await new Promise((resolve) => setImmediate(resolve));
  return longestMs;
}

function unitOf(): RunUnit {
  return new RunUnit({
    runs: async () => [],
    entries: async (keys) => keys.map((key) => ({ ...key, entries: { positions: {} } })),
    isKnown: async () => false,
    onBroken: (_, error) => {
      throw error;
    },
  });
}

const worstWhere = (conditions: number) =>
  Array.from({ length: conditions }, () => ({ field: "text", op: "notContains", value: WORST }) as const);
const longActivity = (minute: number, action: string): Activity => {
  const happened = activity(minute, action);
  return { ...happened, properties: { ...happened.properties, text: LONG } };
};

async function begin(unit: RunUnit, journey: Journey, facts: readonly Fact[]): Promise<void> {
  for (const fact of facts) {
    const started = startOf(journey, fact);
    if (started.kind === "start") await unit.start(ACCOUNT, journey, started.start);
  }
}

test("a thousand triggers on one action, with conditions of long texts, hold no loop over a long activity", async () => {
  const trigger = { event: { action: "start", where: worstWhere(1) } };
  const starting = Array.from({ length: 1_000 }, (_, index) => ({
    account: ACCOUNT,
    journey: { ...journeyOf({ trigger, actions: [{ id: "end", type: "exit" }] }), orchestration: `o${index}` },
    enabledPosition: 0,
  }));
  const facts = [{ account: ACCOUNT, fact: longActivity(0, "start"), revision: 1 }];
  let started: readonly unknown[] = [];
  const longest = await longestTurn(async () => {
    [started = []] = await runInSlices(findStarts(facts, new Map([[ACCOUNT, starting]]), unitOf()));
  });
  expect(started).toHaveLength(1_000);
  expect(longest).toBeLessThan(LOOP_MS_MAX);
});

test("journeys of two hundred waits with the worst conditions hold no loop while a contact's runs see a long activity", async () => {
  const timeout = { n: 1, unit: "day" };
  const any = Array.from({ length: 5 }, () => ({ event: "buy", where: worstWhere(4) }));
  const waits = Array.from({ length: 199 }, (_, index) => ({
    ...{ id: `w${index}`, type: "wait", config: { any, timeout } },
    next: [{ id: index === 198 ? "end" : `w${index + 1}`, label: "timeout" }],
  }));
  const trigger = { event: { action: "start" } };
  const journey = journeyOf({ trigger, actions: [...waits, { id: "end", type: "exit" }] });
  const unit = unitOf();
  for (let index = 0; index < 60; index++)
    await begin(unit, { ...journey, orchestration: `o${index}` }, [activity(0, "start")]);
  const keys = unit.ofContact(ACCOUNT, activity(0, "start").contact);
  expect(keys).toHaveLength(60);
  const bought = longActivity(1, "buy");
  const longest = await longestTurn(async () => {
    for (const key of keys) await unit.apply(key, { kind: "activity", activity: bought });
  });
  expect(longest).toBeLessThan(LOOP_MS_MAX);
});

test("a wait that very many runs share is over for all of them without holding the loop", async () => {
  const timeout = { n: 1, unit: "day" };
  const trigger = { event: { action: "start" } };
  const wait = { id: "wait", type: "wait", config: { any: [{ event: "buy" }], timeout } };
  const journey = journeyOf({
    trigger,
    actions: [
      { ...wait, next: [{ id: "end", label: "timeout" }] },
      { id: "end", type: "exit" },
    ],
  });
  const unit = unitOf();
  const starts = Array.from({ length: 5_000 }, (_, index) => ({
    ...activity(0, "start"),
    ...{ id: `start ${index}`, contact: index + 1 },
  }));
  await begin(unit, journey, starts);
  const runs = unit.changes().inserted;
  expect(runs).toHaveLength(5_000);
  const longest = await longestTurn(async () => {
    for (const run of runs) await unit.apply(run, { kind: "time", at: T0 + 2 * DAY });
  });
  expect(new Set(unit.changes().inserted.map(({ run }) => run.state))).toEqual(new Set(["exited"]));
  expect(longest).toBeLessThan(LOOP_MS_MAX);
});

test("a run that is years behind catches up on one activity without holding the loop", async () => {
  const trigger = { event: { action: "start" } };
  const pause = { id: "pause", type: "delay", config: { for: { n: 1, unit: "hour" } }, next: [{ id: "again" }] };
  const again = { id: "again", type: "delay", config: { for: { n: 1, unit: "hour" } }, next: [{ id: "pause" }] };
  const journey = journeyOf({ trigger, exit: [{ event: "buy" }], actions: [pause, again] });
  const unit = unitOf();
  await begin(unit, journey, [activity(0, "start")]);
  const [key] = unit.ofContact(ACCOUNT, activity(0, "start").contact);
  const late = { ...activity(1, "buy"), at: T0 + 2 * 365 * DAY };
  const longest = await longestTurn(async () => {
    if (key !== undefined) await unit.apply(key, { kind: "activity", activity: late });
  });
  expect(unit.changes().inserted.map(({ run }) => run.state)).toEqual(["exited"]);
  expect(longest).toBeLessThan(LOOP_MS_MAX);
});
