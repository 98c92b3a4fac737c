import { describe, expect, test } from "vitest";
import { step } from "./fold.ts";
import { migrateRun } from "./migrate.ts";
import { activity, compositionOf, DAY, HOUR, journeyOf, MINUTE, T0, World } from "./testJourney.ts";

const to = (id: string, label?: string) => ({ id, ...(label !== undefined && { label }) });
const message = (id: string, next?: string) => ({
  ...{ id, type: "message", templateKey: id },
  ...(next !== undefined && { next: [to(next)] }),
});
const delay = (id: string, config: object, next: string) => ({ id, type: "delay", config, next: [to(next)] });
const day = { n: 1, unit: "day" };
const hour = { n: 1, unit: "hour" };
const wait = (config: object) => ({ id: "w", type: "wait", config: { timeout: day, ...config } });
const onBuy = (config: object, next = [to("yes", "0"), to("no", "timeout")]) => ({
  actions: [{ ...wait({ any: [{ event: "buy" }], ...config }), next }, message("yes"), message("no")],
});
const sent = (world: World) => world.wanted("send").map(({ template }) => template);

describe("complaints of users of other systems", () => {
  test("entering again ends the step that was scheduled, so that one is", () => {
    const world = new World(
      journeyOf({ entry: { reentry: "always" }, actions: [delay("d", { for: day }, "m"), message("m")] }),
    );
    world
      .give(activity(0, "start"))
      .give(activity(60, "start"))
      .time(T0 + 3 * DAY);
    expect([sent(world), world.wanted("cancel")]).toEqual([["m"], []]);
    expect([...world.runs.values()].map(({ state, reason }) => [state, reason])).toEqual([
      ["exited", "reentry"],
      ["completed", undefined],
    ]);
  });

  test("an activity from seconds before the wait counts, unless the wait begins here", () => {
    const beforeIt = (since: string) => {
      const { actions } = onBuy({ since });
      const world = new World(journeyOf({ actions: [delay("d", { for: hour }, "w"), ...actions] }));
      return world
        .give(activity(0, "start"))
        .give(activity(59, "buy"))
        .time(T0 + 2 * DAY)
        .path();
    };
    expect(beforeIt("entry")).toEqual(["d", "w 0", "yes"]);
    expect(beforeIt("here")).toEqual(["d", "w timeout", "no"]);
  });

  test("an activity from before the entry counts for no wait, and the one that started the run neither", () => {
    const world = new World(journeyOf({ trigger: { event: { action: "buy" } }, ...onBuy({}) }));
    world.give(activity(0, "other")).give(activity(1, "buy"));
    expect(world.run().node).toBe("w");
    expect(world.give(activity(2, "buy")).path()).toEqual(["w 0", "yes"]);
  });

  test("a delay leads on to the decision behind it", () => {
    const filter = { id: "f", type: "filter", config: { criteria: { list: "VIP", op: "in" } } };
    const actions = [
      delay("d", { for: day }, "f"),
      { ...filter, next: [to("vip", "yes"), to("other", "no")] },
      message("vip"),
      message("other"),
    ];
    for (const isVip of [true, false]) {
      const world = new World(journeyOf({ actions }), { fits: () => isVip });
      world.give(activity(0, "start")).time(T0 + DAY);
      expect(world.path()).toEqual(["d", ...(isVip ? ["f yes", "vip"] : ["f no", "other"])]);
    }
  });

  test("the branch of no runs for nobody who took another one", () => {
    const world = new World(journeyOf(onBuy({})));
    world
      .give(activity(0, "start"))
      .give(activity(5, "buy"))
      .time(T0 + 9 * DAY);
    expect(sent(world)).toEqual(["yes"]);
  });

  test("a delay counts from the step before it, not from the entry", () => {
    const actions = [delay("first", { for: day }, "second"), delay("second", { for: hour }, "m"), message("m")];
    const world = new World(journeyOf({ actions }));
    world.give(activity(0, "start")).time(T0 + DAY + HOUR - 1);
    expect(sent(world)).toEqual([]);
    world.time(T0 + DAY + HOUR);
    expect(sent(world)).toEqual(["m"]);
  });

  test("a step that is added reaches those who enter later and those who are migrated, and nobody else", () => {
    const old = { actions: [delay("d", { for: day }, "m"), message("m")] };
    const added = compositionOf({ actions: [delay("d", { for: day }, "m"), message("m", "more"), message("more")] });
    const world = new World(journeyOf(old));
    world.give(activity(0, "start"));
    const stays = world.run();
    const migrating = { before: world.journey.composition, at: T0 + HOUR };
    const journey = { ...world.journey, version: 2, composition: added };
    const moved = migrateRun(journey, stays, { ...migrating, migration: new Map([["d", "d"]]) });
    expect(migrateRun(journey, stays, { ...migrating, migration: new Map([["m", "more"]]) }).run).toBe(stays);
    expect(moved.run?.waitsFor).toEqual({ kind: "time", dueAt: T0 + DAY });
    world.time(T0 + 2 * DAY);
    expect(sent(world)).toEqual(["m"]);
    const later = new World(journey);
    if (moved.run !== undefined) later.runs.set(moved.run.id, moved.run);
    later.time(T0 + 2 * DAY);
    expect(sent(later)).toEqual(["m", "more"]);
  });
});

describe("a wait", () => {
  test("takes an activity once, and the next wait another one", () => {
    const second = { ...wait({ any: [{ event: "buy" }] }), id: "w2", next: [to("m", "0")] };
    const actions = [{ ...wait({ any: [{ event: "buy" }] }), next: [to("w2", "0")] }, second, message("m")];
    const world = new World(journeyOf({ actions }));
    world.give(activity(0, "start")).give(activity(1, "buy"));
    expect(world.run().node).toBe("w2");
    expect(world.give(activity(2, "buy")).path()).toEqual(["w 0", "w2 0", "m"]);
  });

  test("compares properties with those of the start, and one that is missing with nothing", () => {
    const world = new World(journeyOf(onBuy({ any: [{ event: "buy", match: ["cart"] }] })));
    world.give(activity(0, "start", { properties: { cart: 7 } }));
    world.give(activity(1, "buy")).give(activity(2, "buy", { properties: { cart: 8 } }));
    expect(world.run().node).toBe("w");
    expect(world.give(activity(3, "buy", { properties: { cart: "7" } })).path()).toEqual(["w 0", "yes"]);
    const without = new World(journeyOf(onBuy({ any: [{ event: "buy", match: ["cart"] }] })));
    without.give(activity(0, "start")).give(activity(1, "buy"));
    expect(without.run().node).toBe("w");
  });

  test("sees opens by people and of messages of its run, or of the one that it names", () => {
    const seen = (any: object[], more: object) => {
      const world = new World(journeyOf(onBuy({ any })));
      world.give(activity(0, "start"));
      const run = world.run().id;
      return world.give(activity(1, "open", typeof more === "function" ? more(run) : more)).path().length > 0;
    };
    const own = (run: string) => ({ message: { run, key: "a" } });
    expect(seen([{ event: "open" }], own)).toBe(true);
    expect(seen([{ event: "open" }], (run: string) => ({ ...own(run), isRobot: true }))).toBe(false);
    expect(seen([{ event: "open" }], { message: { run: "another", key: "a" } })).toBe(false);
    expect(seen([{ event: "open", message: { key: "a" } }], { message: { key: "a" } })).toBe(true);
    expect(seen([{ event: "open", message: { key: "b" } }], own)).toBe(false);
  });

  test("asks for its criteria when a run comes to it and each minute after, until its time is over", () => {
    const asked: number[] = [];
    const any = [{ event: "buy" }, { criteria: { list: "VIP", op: "in" } }];
    const journey = journeyOf(onBuy({ any, timeout: hour }, [to("yes", "1"), to("no", "timeout")]));
    const answered = (from: number) => {
      asked.length = 0;
      const fits = (_: string, at: number) => asked.push((at - T0) / MINUTE) > from;
      return new World(journey, { fits })
        .give(activity(0, "start"))
        .time(T0 + DAY)
        .path();
    };
    expect(answered(2)).toEqual(["w 1", "yes"]);
    expect(asked).toEqual([0, 1, 2]);
    expect(answered(1_000)).toEqual(["w timeout", "no"]);
    expect(asked.length).toBe(60);
  });
});

describe("an exit", () => {
  const actions = [delay("d", { for: day }, "m"), message("m")];

  test("by an activity acts at once", () => {
    const world = new World(journeyOf({ exit: [{ event: "buy" }], actions }));
    world
      .give(activity(0, "start"))
      .give(activity(1, "buy"))
      .time(T0 + 2 * DAY);
    expect([world.run().state, world.run().reason, sent(world)]).toEqual(["exited", "exit", []]);
  });

  test("by criteria acts before the next step", () => {
    const fits = (_: string, at: number) => at > T0 + HOUR;
    const world = new World(journeyOf({ exit: [{ criteria: { list: "VIP", op: "in" } }], actions }), { fits });
    world.give(activity(0, "start")).time(T0 + HOUR * 2);
    expect(world.run().state).toBe("waiting");
    world.time(T0 + DAY);
    expect([world.run().state, sent(world)]).toEqual(["exited", []]);
  });

  test("cancels the send that the run waits for, and a later outcome changes nothing", () => {
    const world = new World(journeyOf({ exit: [{ event: "buy" }], actions: [message("m")] }));
    world.outside.result = () => "ok";
    const happens = world.input.bind(world);
    world.input = (id, input) => (input.kind === "outcome" ? undefined : happens(id, input));
    world.give(activity(0, "start")).give(activity(1, "buy"));
    const [send] = world.wanted("send");
    expect(world.wanted("cancel").map((cancel) => cancel.send)).toEqual([send?.id]);
    const ended = world.run();
    happens(ended.id, { kind: "outcome", effect: send?.id ?? "", at: T0 + HOUR, result: "ok" });
    expect(world.run()).toEqual(ended);
  });
});

test("a goal counts once a run, in its time, also after the end and for a contact that is held out", () => {
  const goals = [{ name: "bought", event: "buy", within: { n: 2, unit: "hour" } }];
  for (const holdoutPercent of [0, 100]) {
    const world = new World(journeyOf({ goals, entry: { holdoutPercent }, actions: [message("m")] }));
    world.give(activity(0, "start")).give(activity(60, "buy")).give(activity(61, "buy"));
    expect(world.run().state).toBe(holdoutPercent === 0 ? "completed" : "holdout");
    expect(world.wanted("goal").map(({ name, isHoldout }) => [name, isHoldout])).toEqual([
      ["bought", holdoutPercent > 0],
    ]);
    const late = new World(journeyOf({ goals, entry: { holdoutPercent }, actions: [message("m")] }));
    expect(late.give(activity(0, "start")).give(activity(121, "buy")).wanted("goal")).toEqual([]);
  }
});

describe("a step that fails", () => {
  const callThen = [
    { id: "c", type: "webhook", config: { url: "https://example.com" }, next: [to("a", "ok"), to("b", "failed")] },
    message("a"),
    message("b"),
  ];

  test.each([
    ["ok", 1, ["c ok", "a"]],
    ["refused", 1, ["c failed", "b"]],
    ["error", 5, ["c failed", "b"]],
  ] as const)("as a call that ends as %s is tried %i times", (result, tries, path) => {
    const world = new World(journeyOf({ actions: callThen }), {
      result: ({ kind }) => (kind === "call" ? result : "ok"),
    });
    world.give(activity(0, "start")).time(T0 + 2 * MINUTE);
    expect([world.wanted("call").length, world.path()]).toEqual([tries, path]);
    expect(new Set(world.wanted("call").map(({ delivery }) => delivery)).size).toBe(1);
  });

  test("as a write fails the run after five tries, and is tried again when somebody asks for it", () => {
    const actions = [{ id: "t", type: "transformation", config: { key: "job" }, next: [to("m")] }, message("m")];
    const world = new World(journeyOf({ actions }), { result: ({ kind }) => (kind === "write" ? "error" : "ok") });
    world.give(activity(0, "start")).time(T0 + 2 * MINUTE);
    expect([world.run().state, world.run().error?.code, world.wanted("write").length]).toEqual([
      "failed",
      "STEP_FAILED",
      5,
    ]);
    world.outside.result = () => "ok";
    world.input(world.run().id, { kind: "retry", at: T0 + HOUR });
    world.time(T0 + HOUR);
    expect([world.run().state, world.run().error, sent(world)]).toEqual(["completed", undefined, ["m"]]);
  });

  test("as a circle through facts that are there already ends after a hundred steps", () => {
    const w = { ...wait({ any: [{ event: "buy" }] }), next: [to("w", "0"), to("m", "timeout")] };
    const world = new World(journeyOf({ actions: [delay("d", { for: day }, "w"), w, message("m")] }));
    world.give(activity(0, "start"));
    for (let at = 1; at <= 110; at++) world.give(activity(at, "buy"));
    world.time(T0 + DAY);
    expect([world.run().state, world.run().error?.code]).toEqual(["failed", "TOO_MANY_STEPS"]);
  });
});

test("a message that is not sent leads on, or ends the run where it says so", () => {
  const path = (config: object) => {
    const actions = [
      { id: "m", type: "message", config: { templateKey: "m", ...config }, next: [to("e")] },
      { id: "e", type: "exit" },
    ];
    const world = new World(journeyOf({ actions }), { result: () => "skipped" });
    return [world.give(activity(0, "start")).run().reason, world.run().node];
  };
  expect(path({})).toEqual(["exit", "e"]);
  expect(path({ onSkip: "exit" })).toEqual(["skipped", "m"]);
});

describe("a disabled orchestration", () => {
  test("lets nobody enter or move, and keeps activities for the waits", () => {
    const world = new World(journeyOf(onBuy({ since: "here" })));
    world.give(activity(0, "start"));
    const enabled = world.journey;
    world.journey = { ...enabled, isEnabled: false };
    world
      .give(activity(1, "start", { contact: 2 }))
      .give(activity(2, "buy"))
      .time(T0 + 3 * DAY);
    expect([world.runs.size, world.path()]).toEqual([1, []]);
    world.journey = enabled;
    world.time(T0 + 3 * DAY);
    expect(world.path()).toEqual(["w 0", "yes"]);
  });

  test("goes on with what was due, and a message expires from when it was due", () => {
    const actions = [
      delay("d", { for: day }, "m"),
      { id: "m", type: "message", config: { templateKey: "m", expiresAfter: hour } },
    ];
    const world = new World(journeyOf({ actions }));
    world.give(activity(0, "start"));
    const enabled = world.journey;
    world.journey = { ...enabled, isEnabled: false };
    world.time(T0 + 3 * DAY);
    world.journey = enabled;
    world.time(T0 + 3 * DAY);
    expect(world.wanted("send").map(({ expiresAt }) => expiresAt)).toEqual([T0 + DAY + HOUR]);
  });

  test("goes on with an outcome that came while it was disabled", () => {
    const world = new World(journeyOf({ actions: [message("a", "b"), message("b")] }));
    world.give(activity(0, "other"));
    const happens = world.input.bind(world);
    let outcome: Parameters<typeof happens> | undefined;
    world.input = (id, input) => {
      if (input.kind !== "outcome") return happens(id, input);
      outcome ??= [id, input];
    };
    world.give(activity(1, "start"));
    const enabled = world.journey;
    world.journey = { ...enabled, isEnabled: false };
    if (outcome !== undefined) happens(...outcome);
    expect(world.path()).toEqual([]);
    world.journey = enabled;
    expect(world.time(T0 + HOUR).path()).toEqual(["a"]);
  });
});

describe("a question", () => {
  const filter = (next: string) => ({
    ...{ id: "f", type: "filter", config: { criteria: { list: "VIP", op: "in" } } },
    next: [to(next, "yes")],
  });

  test("asks a delay's date and zone of the contact, together with the criteria of exits", () => {
    const delays = [
      delay("zone", { until: { time: "09:30", zone: "contact" } }, "date"),
      delay("date", { field: "attributes.renewal", offset: { n: -1, unit: "day" } }, "start"),
      delay("start", { field: "event.departure", offset: day }, "m"),
      message("m"),
    ];
    const exit = [{ criteria: { list: "VIP", op: "in" } }];
    const outside = { fits: () => false, zone: "Asia/Tokyo", value: "2026-01-10" };
    const world = new World(journeyOf({ exit, actions: delays }), outside);
    world.give(activity(0, "start", { properties: { departure: "2026-01-20" } })).time(T0 + 30 * DAY);
    const asked = world.wanted("ask").map(({ criteria, wantsZone, field }) => [criteria, wantsZone, field]);
    expect(asked).toEqual([
      [["/exit/0/criteria"], true, undefined],
      [["/exit/0/criteria"], false, "attributes.renewal"],
      [["/exit/0/criteria"], false, undefined],
      [["/exit/0/criteria"], false, undefined],
    ]);
    const passed = world.wanted("passed").map(({ at }) => new Date(at).toISOString().slice(0, 16));
    expect(passed).toEqual(["2026-01-05T09:00", "2026-01-06T00:30", "2026-01-09T00:00", "2026-01-21T00:00"]);
  });

  test("without an answer is asked five times in two minutes, then the run fails", () => {
    const world = new World(journeyOf({ actions: [filter("m"), message("m")] }));
    const happens = world.input.bind(world);
    world.input = (id, input) => {
      if (input.kind !== "answer") return happens(id, input);
      happens(id, { kind: "failure", question: input.question, at: input.at, reason: "The audience was deleted." });
    };
    world.give(activity(0, "start")).time(T0 + 2 * MINUTE);
    const { state, error } = world.run();
    expect([world.wanted("ask").length, state]).toEqual([5, "failed"]);
    expect(error).toEqual({ code: "STEP_FAILED", message: "The audience was deleted." });
  });
});

test("a run ends by a call, and a run that has ended stays as it is", () => {
  const world = new World(journeyOf({ actions: [delay("d", { for: day }, "m"), message("m")] }));
  world.give(activity(0, "start"));
  const { id } = world.run();
  world.input(id, { kind: "exit", at: T0 + HOUR, reason: "requested" });
  const ended = world.run();
  expect([ended.state, ended.reason]).toEqual(["exited", "requested"]);
  for (const kind of ["exit", "retry"] as const) world.input(id, { kind, at: T0 + DAY, reason: "again" });
  expect(world.time(T0 + 9 * DAY).run()).toEqual(ended);
});

test("a send carries the values of its run, the node's own over them", () => {
  const config = { templateKey: "m", mergeData: { a: 2 } };
  const world = new World(journeyOf({ trigger: { api: true }, actions: [{ id: "m", type: "message", config }] }));
  world.give({ kind: "call", id: "r", stream: "calls", position: 1, at: T0, contact: 1, extVars: { a: 1, b: 1 } });
  expect(world.wanted("send").map(({ extVars }) => extVars)).toEqual([{ a: 2, b: 1 }]);
});

test("a run that is a year behind catches up in several steps", () => {
  const actions = [delay("d", { for: { n: 1, unit: "minute" } }, "d")];
  const world = new World(journeyOf({ actions }));
  world.give(activity(0, "start"));
  const stepped = step(world.journey, world.run(), { kind: "time", at: T0 + 365 * DAY });
  expect([stepped.isBehind, stepped.effects.length, stepped.run?.at]).toEqual([true, 500, T0 + 500 * MINUTE]);
  world.time(T0 + 2 * DAY);
  expect(world.run().visit).toBe(2 * 24 * 60 + 1);
});
