import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { expect } from "vitest";
import type { Tally } from "./neighbours/calls.ts";
import { type Calls, show, together, work } from "./neighbours/honest.ts";
import { fillJobs } from "./neighbours/hostile.ts";
import { test } from "./sharedStack.ts";
import type { Caller, Stack } from "./stack.ts";

const HONEST = 9;
const KINDS = ["intake", "write", "read", "count"] as const;
/** A long run is measured: `HEADWATER_NEIGHBOURS_SECONDS=60` prints the times with and without the hostile account. */
const { HEADWATER_NEIGHBOURS_SECONDS: measured } = process.env;
const SECONDS = Number(measured ?? 3);
const isMeasured = measured !== undefined;

let stack: Stack;
test.beforeAll(async ({ stack: shared }) => {
  stack = shared;
});

function workTogether(callers: readonly Caller[], name: string): Promise<readonly Calls[]> {
  const untilMs = performance.now() + SECONDS * 1_000;
  return Promise.all(callers.map((caller, n) => work(caller, { name: `${name}${n}`, untilMs })));
}

function print(phase: string, accounts: readonly Calls[]): void {
  if (isMeasured) for (const kind of KINDS) process.stdout.write(`${phase} ${show(kind, together(accounts, kind))}\n`);
}

function startAttack({ connection, key }: Caller, receipt: string) {
  const attacker = { connection, key };
  const thread = new Worker(new URL("./neighbours/attackThread.ts", import.meta.url), {
    workerData: { attacker, receipt },
  });
  return {
    async end(): Promise<ReadonlyMap<string, Tally>> {
      thread.postMessage("end");
      const [answers]: ReadonlyMap<string, Tally>[] = await once(thread, "message");
      if (answers === undefined) throw new Error("the attack says how it was answered");
      return answers;
    },
  };
}

test("nine accounts go on beside one at all of its limits at once: none of them is refused, its refusals are its own", async () => {
  const honest = await Promise.all(Array.from({ length: HONEST }, (_, n) => stack.caller(`honest${n}`)));
  const hostile = await stack.caller("hostile");
  const receipt = await hostile.send("upsertContact", {
    identifiers: { email: "grows@example.com" },
    attributes: { plan: "gold" },
    canBeCreated: true,
  });
  await hostile.settled(receipt);
  print("alone", await workTogether(honest, "quiet"));
  const jobs = await fillJobs(hostile);
  const attack = startAttack(hostile, receipt);
  const accounts = await workTogether(honest, "beside");
  const answers = await attack.end();
  print("beside", accounts);
  if (isMeasured) for (const [kind, tally] of answers) process.stdout.write(`hostile ${show(kind, tally)}\n`);
  for (const calls of accounts) {
    for (const kind of KINDS) {
      const { statuses, times } = calls.get(kind) ?? { statuses: new Map(), times: [] };
      expect([kind, [...statuses.keys()].filter((status) => status >= 300)]).toEqual([kind, []]);
      expect([kind, times.length > 0]).toEqual([kind, true]);
    }
  }
  // It did ask for all of it, and what it was refused is 4xx, of its own: never a defect of ours.
  for (const [kind, { failures }] of [...answers, ["jobs", jobs] as const]) {
    expect([kind, failures]).toEqual([kind, []]);
  }
  // It asked for forty counts at a time, each of them for one: it got no more than they.
  const counted = together(accounts, "count").times.length;
  expect(answers.get("counts")?.times.length).toBeLessThanOrEqual(counted);
});
