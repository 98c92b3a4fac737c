import { type MemoryPostgres, startMemoryPostgres } from "@headwater/testing";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { freeRunSends, holdRunSends } from "./sendRows.ts";
import { DAY, RunsWorld } from "./testRuns.ts";

let memory: MemoryPostgres;
let world: RunsWorld;
beforeAll(async () => {
  memory = await startMemoryPostgres();
});
beforeEach(async () => {
  world = await RunsWorld.create(memory.postgres);
  await world.createTemplate("reminder");
});
afterAll(() => memory.stop());

const message = { id: "remind", type: "message", config: { templateKey: "reminder" } };
const pause = { id: "pause", type: "delay", config: { for: { n: 1, unit: "day" } }, next: [{ id: "remind" }] };
const reminder = { trigger: { event: { action: "cart-left" } }, actions: [pause, message] };

test("while an orchestration is disabled nobody moves, and enabled again who is due goes on", async () => {
  const orchestration = await world.publish(reminder);
  await world.happen("cart-left");
  await world.settle();
  await world.enable(orchestration, false);
  world.clock.advance(2 * DAY);
  await world.settle();
  expect([await world.states(), await world.path(), await world.sends()]).toEqual([["waiting"], [], []]);
  await world.enable(orchestration, true);
  await world.sweep({ orchestration, kind: "wake" });
  await world.settle();
  expect([await world.states(), await world.path()]).toEqual([["completed"], ["pause", "remind"]]);
});

test("a migration moves the runs at the nodes that it names, and leaves all others on their version", async () => {
  const orchestration = await world.publish(reminder);
  await world.happen("cart-left", { contact: 1 });
  await world.settle();
  const changed = {
    ...reminder,
    actions: [{ ...pause, id: "longer", config: { for: { n: 3, unit: "day" } } }, message],
  };
  await world.publish(changed, { id: orchestration, version: 2, migration: { pause: "longer" } });
  await world.happen("cart-left", { contact: 2 });
  await world.sweep({ orchestration, kind: "migrate", version: 2 });
  await world.settle();
  world.clock.advance(DAY);
  await world.settle();
  expect([await world.states(), await world.path(1)]).toEqual([["waiting", "waiting"], ["pause"]]);
  world.clock.advance(2 * DAY);
  await world.settle();
  expect([await world.path(1), await world.path(2)]).toEqual([
    ["pause", "longer", "remind"],
    ["longer", "remind"],
  ]);
});

test("sends of a disabled orchestration that nobody has begun wait until it is enabled again", async () => {
  const { number: account } = world.account;
  const orchestration = await world.publish({ ...reminder, actions: [message] });
  await world.happen("cart-left");
  await world.process().read();
  const dueAt = async () => {
    const rows = await world.postgres.query<{ dueAt: number }>(
      { text: 'SELECT due_at AS "dueAt" FROM sends WHERE account = $1' },
      [account],
    );
    return rows[0]?.dueAt ?? 0;
  };
  const before = await dueAt();
  await world.postgres.transaction((transaction) => holdRunSends(transaction, { account, orchestration }));
  expect(await dueAt()).toBeGreaterThan(before + 365 * DAY);
  await world.postgres.transaction((transaction) => freeRunSends(transaction, { account, orchestration }));
  expect(await dueAt()).toBe(before);
});

test("the runs of an orchestration that is deleted end, with what they wanted cancelled", async () => {
  const orchestration = await world.publish({ ...reminder, actions: [message] });
  await world.happen("cart-left");
  await world.process().read();
  expect(await world.sends()).toEqual(["reminder o 1/1"]);
  await world.postgres.execute(
    { text: "UPDATE orchestrations SET is_enabled = false, deleted_at = 1 WHERE account = $1" },
    [world.account.number],
  );
  await world.sweep({ orchestration, kind: "delete" });
  await world.process().sweep();
  const left = await world.postgres.query(
    {
      text: `SELECT (SELECT count(*) FROM orchestration_entries WHERE account = $1) AS entries,
        (SELECT count(*) FROM orchestration_counts WHERE account = $1)
          + (SELECT count(*) FROM orchestration_count_changes WHERE account = $1) AS counts`,
    },
    [world.account.number],
  );
  expect(left).toEqual([{ entries: 0, counts: 0 }]);
  const sends = await world.postgres.query({ text: "SELECT state, reason FROM sends WHERE account = $1" }, [
    world.account.number,
  ]);
  expect([await world.states(), sends]).toEqual([["exited"], [{ state: "skipped", reason: "canceled" }]]);
});
