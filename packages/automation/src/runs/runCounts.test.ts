import { eraseContact } from "@headwater/records/erasures/erasures";
import { type MemoryPostgres, startMemoryPostgres } from "@headwater/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { statsOf } from "../orchestrations/routes/getOrchestrationstats.ts";
import { deleteOldRuns, ENDED_RUN_DAYS } from "./oldRuns.ts";
import { addUpCounts, countLive, countRunsOf, hasLiveRuns } from "./runCounts.ts";
import { pageRuns } from "./runReads.ts";
import { DAY, failing, RunsWorld } from "./testRuns.ts";

let memory: MemoryPostgres;
let world: RunsWorld;
beforeAll(async () => {
  memory = await startMemoryPostgres();
});
beforeEach(async () => {
  // Housekeeping knows no account.
  await memory.postgres.execute({ text: "DELETE FROM orchestration_runs" });
  world = await RunsWorld.create(memory.postgres);
  await world.createTemplate("reminder");
});
afterAll(() => memory.stop());

const draft = {
  trigger: { event: { action: "go" } },
  goals: [{ name: "bought", event: "bought", within: { n: 30, unit: "day" } }],
  actions: [
    { id: "pause", type: "delay", config: { for: { n: 1, unit: "day" } }, next: [{ id: "remind" }] },
    { id: "remind", type: "message", config: { templateKey: "reminder" } },
  ],
};

const nameOf = (orchestration: string) => ({ account: world.account.number, orchestration });
const stats = async (orchestration: string) => statsOf(await countRunsOf(memory.postgres, nameOf(orchestration)));
async function enter(...contacts: number[]): Promise<void> {
  for (const contact of contacts) await world.happen("go", { contact });
  await world.settle();
}

/** Counts rows by themselves. */
async function counted(orchestration: string) {
  const of = [world.account.number, orchestration];
  const states = `SELECT state, count(*) AS count FROM orchestration_runs WHERE account = $1 AND orchestration = $2 GROUP BY 1`;
  const edges = `SELECT node, count(*) AS count FROM orchestration_steps WHERE account = $1 AND orchestration = $2 GROUP BY 1`;
  const rows = await memory.postgres.query<{ state: string; count: number }>({ text: states }, of);
  const steps = await memory.postgres.query<{ node: string; count: number }>({ text: edges }, of);
  return {
    ...Object.fromEntries(rows.map(({ state, count }) => [state, count])),
    ...Object.fromEntries(steps.map(({ node, count }) => [node, count])),
  };
}

test("numbers are those of the rows, and adding them up changes none of them", async () => {
  const orchestration = await world.publish(draft);
  await enter(1, 2, 3);
  await enter(1);
  await world.happen("bought", { contact: 2 });
  await world.settle();
  const expected = { entered: 3, live: 3, completed: 0, exited: 0, failed: 0, holdout: 0, refused: { reentry: 1 } };
  expect(await stats(orchestration)).toMatchObject({
    ...expected,
    nodes: [{ id: "pause", in: 3, waiting: 3 }],
    goals: [{ name: "bought", runs: 1, holdout: 0 }],
  });
  expect(await countLive(memory.postgres, nameOf(orchestration))).toEqual(new Map([[1, 3]]));
  world.clock.advance(DAY);
  await world.process().moveDue();
  await world.endSends("skipped", "suppressed");
  await world.settle();
  const before = await stats(orchestration);
  expect(before).toMatchObject({ entered: 3, live: 0, completed: 3, skipped: { suppressed: 3 } });
  expect(await counted(orchestration)).toEqual({ completed: 3, pause: 3, remind: 3 });
  expect(await addUpCounts(memory.postgres)).toBe(false);
  expect(await stats(orchestration)).toEqual(before);
  const left = await memory.postgres.query({ text: "SELECT id FROM orchestration_count_changes" });
  expect([left, await hasLiveRuns(memory.postgres, nameOf(orchestration))]).toEqual([[], false]);
});

describe("a process killed", () => {
  const points = [1, 2, 3, 4].flatMap((at) => [[at, "before"] as const, [at, "after"] as const]);
  test.each(points)("at its transaction %i, %s the commit, counts each step once", async (at, when) => {
    const orchestration = await world.publish(draft);
    for (const contact of [1, 2]) await world.happen("go", { contact });
    const killed = () => Object.assign(new Error("killed"), { code: "ECONNRESET" });
    let process = world.process(failing(memory.postgres, { at, when, killed }));
    for (let rounds = 0; rounds < 3; rounds++) {
      try {
        await process.read();
        await process.moveDue();
      } catch {
        process = world.process();
      }
      world.clock.advance(DAY);
      await addUpCounts(memory.postgres);
    }
    await world.settle();
    expect(await stats(orchestration)).toMatchObject({ entered: 2, live: 0, completed: 2 });
    expect(await counted(orchestration)).toEqual({ completed: 2, pause: 2, remind: 2 });
  });
});

test("a contact that is erased on its way has exited, and what it did stays counted", async () => {
  const orchestration = await world.publish(draft);
  await enter(1, 2);
  const { number: account } = world.account;
  const version = "00000000-0000-0000-0000-000000000001";
  const erased = { account, number: 1, version, identifiers: [], tombstones: [], addresses: [] };
  await memory.postgres.transaction((transaction) => eraseContact(transaction, erased));
  expect(await stats(orchestration)).toMatchObject({
    ...{ entered: 2, live: 1, exited: 1 },
    nodes: [{ id: "pause", in: 2, waiting: 1 }],
  });
});

test("runs that ended long ago are deleted with all that is stored of them, and the contact still enters once", async () => {
  const orchestration = await world.publish(draft);
  await enter(1, 2);
  world.clock.advance(DAY);
  await world.settle();
  const before = await stats(orchestration);
  world.clock.advance(ENDED_RUN_DAYS * DAY);
  await enter(3);
  const old = () => deleteOldRuns(memory.postgres, world.clock.nowMs());
  expect(await old()).toBe(0);
  world.clock.advance(1);
  expect([await old(), await old()]).toEqual([2, 0]);
  const page = { ...nameOf(orchestration), direction: "asc", skip: 0, rowsMax: 10 } as const;
  expect((await pageRuns(memory.postgres, page)).map(({ cid }) => cid)).toEqual(["c3"]);
  const rows = `SELECT (SELECT count(*) FROM orchestration_steps WHERE account = $1) AS steps,
    (SELECT count(*) FROM orchestration_sends WHERE account = $1) AS sends`;
  expect(await memory.postgres.query({ text: rows }, [world.account.number])).toEqual([{ steps: 0, sends: 0 }]);
  expect(await stats(orchestration)).toMatchObject({ ...before, entered: 3, live: 1, nodes: expect.anything() });
  await enter(1);
  expect(await stats(orchestration)).toMatchObject({ entered: 3, completed: 2, refused: { reentry: 1 } });
});

test("a goal that may still be reached keeps its run", async () => {
  const goals = [{ name: "bought", event: "bought", within: { n: 2 * ENDED_RUN_DAYS, unit: "day" } }];
  const orchestration = await world.publish({ ...draft, goals });
  await enter(1);
  world.clock.advance((ENDED_RUN_DAYS + 10) * DAY);
  await world.settle();
  world.clock.advance(ENDED_RUN_DAYS * DAY - 20 * DAY);
  expect(await deleteOldRuns(memory.postgres, world.clock.nowMs())).toBe(0);
  await world.happen("bought");
  await world.settle();
  expect(await stats(orchestration)).toMatchObject({ goals: [{ name: "bought", runs: 1, holdout: 0 }] });
});
