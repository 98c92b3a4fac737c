import { ACTIVITIES_TOPIC, readActivityChange } from "@headwater/contracts";
import { beforeEach, expect, test } from "vitest";
import { account, frameOf, StateWorld } from "./testState.ts";

let world: StateWorld;
beforeEach(() => {
  world = new StateWorld();
});

const contact = { identifiers: { email: "ann@x.org" }, canBeCreated: true };

function happen(offset: number, ...events: readonly object[]) {
  const records = events.map((event, index) => ({
    ...{ id: `r${offset}:0:${index}`, receivedAt: 1, contact },
    event: { time: "2026-01-01T10:00:00Z", ...event },
  }));
  return frameOf(offset, "createContactactivities", ...records);
}

/** Returns the activities that were emitted, in the order of the outbox. */
function emitted() {
  return world.state.tables.outbox
    .filter(({ topic }) => topic === ACTIVITIES_TOPIC)
    .flatMap(({ payload }) => JSON.parse(payload).changes)
    .map((change: unknown) => readActivityChange(change) ?? expect.fail("not an activity"));
}

test("an activity that something listens for is emitted once with its contact and its position in the log, and no other one", async () => {
  world.state.tables.listeners.push({ account: account.number, action: "buy" });
  const device = { robot: true };
  const frame = happen(0, { name: "look" }, { name: "buy", properties: { "cart.id": 7 }, device }, { name: "buy" });
  const owner = world.owner();
  await world.send(owner, frame);
  expect(emitted()).toMatchObject([
    { account: account.number, id: "r0:0:1", action: "buy", position: 1, robot: true },
    { id: "r0:0:2", position: 2 },
  ]);
  const [first] = emitted();
  expect([first?.properties, first?.time]).toEqual([{ cart: { id: 7 } }, "2026-01-01T10:00:00.000Z"]);
});

test("nothing is emitted where nothing listens, or of a record that was not applied", async () => {
  world.state.tables.listeners.push(
    { account: account.number + 1, action: "buy" },
    { account: account.number, action: "buy" },
  );
  const owner = world.owner();
  const unknown = { ...contact, canBeCreated: false, identifiers: { email: "nobody@x.org" } };
  const event = { name: "buy", time: "2026-01-01T10:00:00Z" };
  await world.send(owner, happen(0, { name: "look" }));
  await world.send(
    owner,
    frameOf(1, "createContactactivities", { id: "r1:0:0", receivedAt: 1, contact: unknown, event }),
  );
  expect(emitted()).toEqual([]);
});

test("a row of an import starts nothing unless it says so, and is heard all the same", async () => {
  world.state.tables.listeners.push({ account: account.number, action: "buy" });
  const event = { name: "buy", time: "2026-01-01T10:00:00Z" };
  const row = (id: string, more: object) => ({ id, receivedAt: 1, contact, event, ...more });
  const records = [row("a", { row: 0 }), row("b", { row: 1, suppressTriggers: false }), row("c", {})];
  await world.send(world.owner(), frameOf(0, "createContactactivities", ...records));
  expect(emitted().map(({ id, suppressTriggers }) => [id, suppressTriggers])).toEqual([
    ["a", true],
    ["b", undefined],
    ["c", undefined],
  ]);
});
