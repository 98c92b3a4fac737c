import { type MemoryPostgres, startMemoryPostgres } from "@headwater/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { runView } from "../orchestrations/runView.ts";
import { readOldestDue } from "./postgres.ts";
import { pageRuns } from "./runReads.ts";
import { AT, DAY, failing, HOUR, RunsWorld } from "./testRuns.ts";

let memory: MemoryPostgres;
let world: RunsWorld;
beforeAll(async () => {
  memory = await startMemoryPostgres();
});
beforeEach(async () => {
  world = await RunsWorld.create(memory.postgres);
});
afterAll(() => memory.stop());

function rows<Row extends object>(text: string): Promise<Row[]> {
  return world.postgres.query<Row>({ text }, [world.account.number]);
}

const reminder = {
  trigger: { event: { action: "cart-left" } },
  actions: [
    { id: "pause", type: "delay", config: { for: { n: 1, unit: "day" } }, next: [{ id: "remind" }] },
    { id: "remind", type: "message", config: { templateKey: "reminder", mergeData: { tone: "kind" } } },
  ],
};

test("a contact enters by an activity, waits, gets the message and is through once it was handed over", async () => {
  await world.createTemplate("reminder");
  await world.publish(reminder);
  await world.happen("cart-left", { properties: { cartID: "k1" } });
  await world.happen("look");
  await world.settle();
  expect([await world.states(), await world.sends()]).toEqual([["waiting"], []]);
  world.clock.advance(DAY - 1);
  await world.settle();
  expect(await world.sends()).toEqual([]);
  world.clock.advance(1);
  const process = world.process();
  await process.moveDue();
  expect([await world.states(), await world.sends()]).toEqual([["waiting"], ["reminder o 1/1"]]);
  const [want] = await rows<{ merge_data: string; event: string }>(
    "SELECT merge_data, event FROM send_wants WHERE account = $1",
  );
  expect([JSON.parse(want?.merge_data ?? ""), JSON.parse(want?.event ?? "")]).toEqual([
    { tone: "kind" },
    { id: "r0:0:0", action: "cart-left", time: "2026-01-05T09:00:00.000Z", properties: { cartID: "k1" } },
  ]);
  await world.settle();
  expect([await world.states(), await world.path()]).toEqual([["completed"], ["pause", "remind"]]);
});

test("a message carries the instant after which it is not sent any more, counted from when its step was due", async () => {
  await world.createTemplate("reminder");
  const expiresAfter = { n: 2, unit: "hour" };
  const [pause, message] = reminder.actions;
  const config = { templateKey: "reminder", expiresAfter };
  await world.publish({ ...reminder, actions: [pause, { ...message, config }] });
  await world.happen("cart-left");
  await world.process().read();
  world.clock.advance(2 * DAY);
  await world.process().moveDue();
  const [send] = await rows<{ expiresAt: number }>('SELECT expires_at AS "expiresAt" FROM sends WHERE account = $1');
  expect(send).toEqual({ expiresAt: AT + DAY + 2 * HOUR });
});

test("what was applied before the orchestration was enabled, or while it was disabled, starts nobody", async () => {
  await world.createTemplate("reminder");
  await world.happen("cart-left", { contact: 1 });
  const id = await world.publish(reminder);
  await world.happen("cart-left", { contact: 2 });
  await world.settle();
  await world.enable(id, false);
  await world.happen("cart-left", { contact: 3 });
  await world.enable(id, true);
  await world.settle();
  const entered = await rows<{ contact: number }>("SELECT contact FROM orchestration_runs WHERE account = $1");
  expect(entered.map(({ contact }) => contact)).toEqual([2]);
});

test("a run that cannot be stepped fails alone, and those that were due with it go on", async () => {
  await world.createTemplate("reminder");
  await world.publish(reminder);
  for (const contact of [1, 2, 3]) await world.happen("cart-left", { contact });
  await world.settle();
  await world.postgres.execute(
    {
      text: `UPDATE orchestration_runs SET run = replace(run, '"node":"pause"', '"node":"gone"')
        WHERE account = $1 AND contact = 2`,
    },
    [world.account.number],
  );
  world.clock.advance(DAY);
  await world.settle();
  expect((await world.states()).toSorted()).toEqual(["completed", "completed", "failed"]);
});

test("after a restart each run that waits says where it is and for what, and the one that is due longest is known", async () => {
  await world.createTemplate("reminder");
  const [pause, remind] = reminder.actions;
  const wait = {
    ...{ id: "wait", type: "wait", config: { any: [{ event: "bought" }], timeout: { n: 2, unit: "day" } } },
    next: [{ id: "end", label: "0" }],
  };
  const end = { id: "end", type: "exit" };
  const trigger = (action: string) => ({ trigger: { event: { action } } });
  const ids = [
    await world.publish({ ...trigger("a"), actions: [pause, remind] }),
    await world.publish({ ...trigger("b"), actions: [remind] }),
    await world.publish({ ...trigger("c"), actions: [wait, end] }),
  ];
  for (const [index, action] of ["a", "b", "c"].entries()) await world.happen(action, { contact: index + 1 });
  await world.process().read();
  const { ports } = world.process();
  const page = { direction: "asc", skip: 0, rowsMax: 10 } as const;
  const shown = await Promise.all(
    ids.map((orchestration) => pageRuns(ports.postgres, { account: world.account.number, orchestration, ...page })),
  );
  expect(shown.flat().map((one) => runView(one, []))).toMatchObject([
    { cID: "c1", node: "pause", waitsFor: { kind: "time", until: new Date(AT + DAY).toISOString() } },
    { cID: "c2", node: "remind", waitsFor: { kind: "outcome" } },
    { cID: "c3", node: "wait", waitsFor: { kind: "facts", until: new Date(AT + 2 * DAY).toISOString() } },
  ]);
  await memory.postgres.execute({ text: "UPDATE orchestration_runs SET due_at = NULL WHERE account <> $1" }, [
    world.account.number,
  ]);
  expect(await readOldestDue(ports.postgres)).toBe(AT + DAY);
});

describe("a process killed", () => {
  let kills = 0;
  const killed = () => {
    kills += 1;
    return Object.assign(new Error("killed"), { code: "ECONNRESET" });
  };

  /** One round after the other, each by a process of its own when the one before was killed. */
  async function live(at: number, when: "before" | "after"): Promise<number> {
    kills = 0;
    await world.createTemplate("reminder");
    await world.publish(reminder);
    await world.happen("cart-left");
    let process = world.process(failing(world.postgres, { at, when, killed }));
    for (let rounds = 0; rounds < 4; rounds++) {
      world.clock.advance(8 * HOUR);
      for (let tries = 0; tries < 2; tries++) {
        try {
          await process.read();
          await process.moveDue();
          await world.endSends("sent");
          await process.moveAfterSends();
          break;
        } catch (error) {
          if (kills === 0 || tries > 0) throw error;
          process = world.process();
        }
      }
    }
    return kills;
  }

  const points = [1, 2, 3, 4, 5, 6, 7, 8, 9].flatMap((at) => [[at, "before"] as const, [at, "after"] as const]);
  test.each(points)("at its transaction %i, %s the commit, leaves one send and one path", async (at, when) => {
    expect(await live(at, when)).toBe(1);
    expect([await world.states(), await world.path(), await world.sends()]).toEqual([
      ["completed"],
      ["pause", "remind"],
      ["reminder o 1/1"],
    ]);
  });
});
