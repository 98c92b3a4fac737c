import type { MessageDataCondition } from "@headwater/contracts";
import { beforeEach, expect, test } from "vitest";
import { account, frameOf, StateWorld } from "./testState.ts";

let world: StateWorld;
beforeEach(() => {
  world = new StateWorld();
});

let templates = 0;
function listen(action: string, ...conditions: readonly MessageDataCondition[]): string {
  const mdtId = String(++templates).padStart(24, "0");
  world.state.tables.triggers.push({ account: account.number, mdtId, action, conditions: JSON.stringify(conditions) });
  return mdtId;
}

function happen(offset: number, name: string, ...properties: readonly object[]) {
  const activities = properties.map((of, index) => ({
    id: `r${offset}:0:${index}`,
    receivedAt: 1,
    contact: { identifiers: { email: "ann@x.org" }, canBeCreated: true },
    event: { name, time: "2026-01-01T10:00:00Z", properties: of },
  }));
  return frameOf(offset, "createContactactivities", ...activities);
}

const triggered = () => world.state.tables.triggered.map(({ mdtId, recordId }) => `${recordId} ${mdtId}`);

test("an activity that is too expensive to compare fits no trigger, the account is told, and its neighbours are compared", async () => {
  const cheap = listen("buy", { field: "sku", op: "eq", value: "A" });
  const costly = Array.from({ length: 20 }, (_, index) => ({
    field: "text",
    op: "notContains" as const,
    value: `b${"a".repeat(1_000 + index)}`,
  }));
  const expensive = Array.from({ length: 99 }, () => listen("buy", ...costly));
  const frame = happen(0, "buy", { sku: "A" }, { sku: "A", text: "a".repeat(230 * 1024) }, { sku: "A", text: "aa" });
  await world.send(world.owner(), frame);
  // Two triggers take what one record may; each of the others is reported.
  const reported = new Set(world.state.tables.uncompared.map(({ mdtId }) => mdtId));
  expect([reported.has(cheap), reported.has(expensive[98] ?? ""), world.uncompared]).toEqual([
    false,
    true,
    reported.size,
  ]);
  const fitting = triggered();
  expect(fitting).toContain(`r0:0:1 ${cheap}`);
  expect(fitting).not.toContain(`r0:0:1 ${expensive[98]}`);
  expect(fitting.filter((one) => one.startsWith("r0:0:0"))).toHaveLength(100);
  expect(fitting.filter((one) => one.startsWith("r0:0:2"))).toHaveLength(100);
});

test("an activity is stored for as many triggers as its size allows", async () => {
  for (let count = 0; count < 100; count++) listen("buy");
  await world.send(world.owner(), happen(0, "buy", { text: "a".repeat(230 * 1024) }, { text: "a" }));
  const of = (record: string) => triggered().filter((one) => one.startsWith(record)).length;
  expect([of("r0:0:0"), of("r0:0:1"), world.uncompared]).toEqual([17, 100, 83]);
});

test("an activity of another name is compared with nothing", async () => {
  listen("buy", { field: "sku", op: "exists" });
  await world.send(world.owner(), happen(0, "browse", { sku: "A" }));
  expect([triggered(), world.uncompared]).toEqual([[], 0]);
});
