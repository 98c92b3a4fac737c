import { expect, test } from "vitest";
import { migrateRun, wrongMigration } from "./migrate.ts";
import { activity, compositionOf, DAY, HOUR, journeyOf, MINUTE, T0, World } from "./testJourney.ts";

const day = { n: 1, unit: "day" };
const waitFor = (id: string, event: string, since = "entry") => ({
  ...{ id, type: "wait", config: { any: [{ event }], timeout: day, since } },
  next: [{ id: "end", label: "0" }],
});
const delay = { id: "d", type: "delay", config: { for: day }, next: [{ id: "w" }] };
const end = { id: "end", type: "exit" };
const before = { actions: [delay, waitFor("w", "buy"), end] };

function migrated(after: object, nodes: Record<string, string>, world: World, at = T0 + HOUR) {
  const journey = { ...world.journey, version: 2, composition: compositionOf(after) };
  const migration = new Map(Object.entries(nodes));
  const stepped = migrateRun(journey, world.run(), { migration, before: world.journey.composition, at });
  return { ...stepped, journey };
}

test("a delay that keeps its id keeps its time, another one begins from its start", () => {
  const world = () => new World(journeyOf(before)).give(activity(0, "start"));
  const longer = { ...delay, config: { for: { n: 2, unit: "day" } } };
  const same = migrated({ actions: [longer, waitFor("w", "buy"), end] }, { d: "d" }, world());
  expect(same.run?.waitsFor).toEqual({ kind: "time", dueAt: T0 + 2 * DAY });
  const renamed = migrated({ actions: [{ ...longer, id: "d2" }, waitFor("w", "buy"), end] }, { d: "d2" }, world());
  expect(renamed.run?.waitsFor).toEqual({ kind: "time", dueAt: T0 + HOUR + 2 * DAY });
});

test("what was seen counts on for waits that ask for the same", () => {
  const world = () => new World(journeyOf(before)).give(activity(0, "start")).give(activity(1, "buy"));
  const same = migrated({ actions: [delay, { ...waitFor("w", "buy"), label: "Renamed" }, end] }, { d: "w" }, world());
  expect(same.run?.state).toBe("exited");
  const changed = migrated({ actions: [delay, waitFor("w", "sell"), end] }, { d: "w" }, world());
  expect([changed.run?.state, changed.run?.seen]).toEqual(["waiting", []]);
});

test("a send that the run waits for is cancelled, and its outcome counts no more", () => {
  const world = new World(journeyOf({ actions: [{ id: "m", type: "message", templateKey: "m" }] }));
  world.input = () => undefined;
  world.give(activity(0, "start"));
  const [send] = world.wanted("send");
  const { run, effects, journey } = migrated({ actions: [{ ...delay, next: [] }] }, { m: "d" }, world);
  expect(effects).toEqual([
    { id: `${run?.id}:1:passed`, kind: "passed", node: "m", at: T0, to: "d" },
    { id: `${run?.id}:1:cancel`, kind: "cancel", send: send?.id },
  ]);
  const later = new World(journey);
  if (run !== undefined) later.runs.set(run.id, run);
  later.input(run?.id ?? "", { kind: "outcome", effect: send?.id ?? "", at: T0 + DAY - MINUTE, result: "ok" });
  expect(later.run()).toEqual(run);
});

test("a run that has ended stays on its version", () => {
  const world = new World(journeyOf({ actions: [end] })).give(activity(0, "start"));
  const ended = world.run();
  expect(migrated({ actions: [end] }, { end: "end" }, world).run).toBe(ended);
});

test("a disabled orchestration moves runs to their new nodes, which begin when it is enabled", () => {
  const world = new World(journeyOf(before)).give(activity(0, "start"));
  world.journey = { ...world.journey, isEnabled: false };
  const { run } = migrated({ actions: [delay, waitFor("w", "buy"), end] }, { d: "end" }, world);
  expect([run?.version, run?.node, run?.state, run?.waitsFor]).toEqual([2, "end", "waiting", { kind: "begin" }]);
});

test("ids that the versions do not have are found on either side", () => {
  const wrong = (nodes: Record<string, string>) =>
    wrongMigration(new Map(Object.entries(nodes)), { before: new Set(["end"]), after: new Set(["d", "w", "end"]) });
  expect(wrong({ end: "w" })).toEqual([]);
  expect(wrong({ "w/1": "x" }).map(({ path, message }) => `${path} ${message}`)).toEqual([
    "/migrate/w~11 No published version has this action.",
    '/migrate/w~11 The draft has no action "x".',
  ]);
});
