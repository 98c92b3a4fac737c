import { describe, expect, test } from "vitest";
import type { Fact, Run } from "./run.ts";
import { cartDueAt, enter, joinEntries, mergeRuns, startOf } from "./start.ts";
import { activity, DAY, HOUR, journeyOf, MINUTE, T0, World } from "./testJourney.ts";

const day = { n: 1, unit: "day" };
const actions = [{ id: "d", type: "delay", config: { for: day } }];
const starts = (trigger: object, fact: Fact, entry = {}) => startOf(journeyOf({ trigger, entry, actions }), fact).kind;
const of = { id: "r", stream: "0", position: 1, at: T0, contact: 1 };

describe("a trigger", () => {
  test("takes activities whose properties fit, but none that suppresses triggers", () => {
    const trigger = { event: { action: "buy", where: [{ field: "total", op: "gt", value: 5 }] } };
    const buy = (total: number, more = {}) => activity(1, "buy", { properties: { total }, ...more });
    expect(
      [buy(6), buy(5), buy(6, { suppressTriggers: true }), activity(1, "sell")].map((one) => starts(trigger, one)),
    ).toEqual([...["start", "none", "none", "none"]]);
  });

  test("takes lists, audiences and calls that it names", () => {
    const list = (name: string, on: "joined" | "left"): Fact => ({ ...of, kind: "list", list: name, on });
    const joined = { list: { name: "VIP", on: "joined" } };
    expect([list("VIP", "joined"), list("VIP", "left"), list("x", "joined")].map((one) => starts(joined, one))).toEqual(
      [...["start", "none", "none"]],
    );
    const audience: Fact = { ...of, kind: "audience", audience: "buyers" };
    expect([starts({ audience: "buyers" }, audience), starts({ api: true }, audience)]).toEqual(["start", "none"]);
    const call: Fact = { ...of, kind: "call", extVars: {} };
    expect([starts({ api: true }, call), starts({}, call)]).toEqual(["start", "none"]);
  });

  test("takes orders one item of which fits, each order once", () => {
    const where = [{ field: "status", op: "eq", value: "paid" }];
    const items = [
      { field: "sku", op: "eq", value: "a" },
      { field: "qty", op: "gte", value: 2 },
    ];
    const order = (lines: object[], id = "r"): Fact => ({
      ...of,
      id,
      kind: "order",
      orderId: "o1",
      order: { status: "paid", items: lines },
    });
    const trigger = { order: { where, items } };
    expect(starts(trigger, order([{ sku: "a", qty: 2 }]))).toBe("start");
    expect(
      starts(
        trigger,
        order([
          { sku: "a", qty: 1 },
          { sku: "b", qty: 2 },
        ]),
      ),
    ).toBe("none");
    const world = new World(journeyOf({ trigger, entry: { reentry: "always" }, actions }));
    world.give(order([{ sku: "a", qty: 2 }])).give({ ...order([{ sku: "a", qty: 3 }], "later"), position: 2 });
    expect(world.runs.size).toBe(1);
  });

  test("starts for a cart once it has been idle", () => {
    const journey = journeyOf({ trigger: { cart: { idle: { n: 4, unit: "hour" } } }, actions });
    expect(cartDueAt(journey, T0)).toBe(T0 + 4 * HOUR);
    expect(cartDueAt(journeyOf({ actions }), T0)).toBeUndefined();
    expect(startOf(journey, { ...of, kind: "cart", cart: { lines: 1 } }).kind).toBe("start");
  });

  test("starts nobody while the orchestration is disabled", () => {
    expect(startOf({ ...journeyOf({ actions }), isEnabled: false }, activity(1, "start")).kind).toBe("none");
  });
});

describe("the key of an entry", () => {
  test.each([
    ["text", "start"],
    [7, "start"],
    [false, "start"],
    [undefined, "refused"],
    [null, "refused"],
    [{ a: 1 }, "refused"],
    ["x".repeat(1_025), "refused"],
  ])("as %j leads to %s", (value, expected) => {
    const fact = activity(1, "start", { properties: { order: { id: value } } });
    expect(starts({ event: { action: "start" } }, fact, { key: "order.id" })).toBe(expected);
  });

  test("lets one run at a time go for each of its values", () => {
    const world = new World(journeyOf({ entry: { key: "k", reentry: "after-exit" }, actions }));
    const start = (position: number, k: unknown) => world.give(activity(position, "start", { properties: { k } }));
    start(1, "a");
    start(2, "b");
    start(3, "a");
    expect([world.live().map(({ key }) => key), world.refused]).toEqual([["a", "b"], ["reentry"]]);
  });
});

test.each([
  ["once", [0]],
  ["after-exit", [0, 1_500, 3_000]],
  ["always", [0, 10, 1_500, 3_000]],
  [{ after: { n: 2, unit: "day" } }, [0, 3_000]],
])("re-entry %j lets contacts in again at its times", (reentry, expected) => {
  const world = new World(journeyOf({ entry: { reentry }, actions }));
  for (const at of [0, 10, 1_500, 3_000]) world.give(activity(at, "start"));
  expect(world.wanted("entered").map(({ at }) => (at - T0) / MINUTE)).toEqual(expected);
});

describe("the audience of an entry", () => {
  const gated = (reentry: string, fits: (at: number) => boolean) =>
    new World(journeyOf({ entry: { reentry, audience: "buyers" }, exit: [{ event: "buy" }], actions }), {
      fits: (pointer, at) => pointer === "/entry/audience" && fits(at),
    });

  test("lets contacts in that are in it, and counts the others as refused", () => {
    expect(
      gated("once", () => true)
        .give(activity(1, "start"))
        .run().node,
    ).toBe("d");
    const out = gated("once", () => false).give(activity(1, "start"));
    expect([out.runs.size, out.refused, out.wanted("entered")]).toEqual([0, ["audience"], []]);
  });

  test("ends a live run only when the contact enters again", () => {
    const world = gated("always", (at) => at !== T0 + 2 * MINUTE);
    world.give(activity(1, "start")).give(activity(2, "start"));
    expect(world.live().map(({ start }) => start.position)).toEqual([1]);
    world.give(activity(3, "start"));
    expect(world.live().map(({ start }) => start.position)).toEqual([3]);
  });

  test("is asked again for a start that came in the meantime, and activities of that time count", () => {
    const journey = journeyOf({ entry: { audience: "buyers" }, exit: [{ event: "buy" }], actions });
    const enters = (position: number, live?: Run) => {
      const started = startOf(journey, activity(position, "start"));
      return started.kind === "start"
        ? enter(journey, started.start, { entries: { positions: {} }, hasRun: false, live })
        : undefined;
    };
    const first = enters(1);
    const entering = first?.kind === "begun" ? first.stepped.run : undefined;
    const second = enters(2, entering);
    const waiting = second?.kind === "waiting" ? second.run : undefined;
    expect([entering?.state, waiting?.nextStart?.position]).toEqual(["entering", 2]);
    const answered = (fits: string[]) => {
      const world = new World(journey, { fits: () => false });
      if (waiting !== undefined) world.runs.set(waiting.id, waiting);
      world.give(activity(3, "buy"));
      const [question] = first?.kind === "begun" ? first.stepped.effects : [];
      world.input(waiting?.id ?? "", { kind: "answer", question: question?.id ?? "", at: T0 + HOUR, fits });
      return world;
    };
    expect(answered([]).refused).toEqual(["audience", "audience"]);
    const entered = answered(["/entry/audience"]);
    expect([...entered.runs.values()].map(({ state, reason }) => [state, reason])).toEqual([["exited", "exit"]]);
  });
});

describe("a merge of contacts", () => {
  const world = (contact: number, position: number, key?: string) => {
    const draft = { entry: key === undefined ? {} : { key: "k" }, actions };
    return new World(journeyOf(draft)).give(activity(position, "start", { contact, properties: { k: key } }));
  };

  test("lets the oldest of two live runs with one key go on, in whatever order they are given", () => {
    const [old, young] = [world(1, 1).run(), world(2, 2).run()];
    for (const runs of [
      [old, young],
      [young, old],
    ]) {
      const joined = mergeRuns(runs, 2, T0 + DAY).map(({ run }) => [run?.id, run?.contact, run?.state, run?.reason]);
      expect(joined).toEqual([
        [old.id, 2, "waiting", undefined],
        [young.id, 2, "exited", "merged"],
      ]);
    }
  });

  test("lets runs with different keys go on", () => {
    const runs = [world(1, 1, "a").run(), world(2, 2, "b").run()];
    expect(mergeRuns(runs, 1, T0).map(({ run }) => run?.state)).toEqual(["waiting", "waiting"]);
  });

  test("keeps the later one of two entries, and what was taken of either stream", () => {
    const joined = { enteredAt: 2, positions: { a: 5, b: 7, c: 1 } };
    const [one, other] = [
      { enteredAt: 1, positions: { a: 5, b: 2 } },
      { enteredAt: 2, positions: { b: 7, c: 1 } },
    ];
    expect([joinEntries(one, other), joinEntries(other, one)]).toEqual([joined, joined]);
    expect(joinEntries({ positions: {} }, { positions: {} })).toEqual({ positions: {} });
  });
});
