import fc from "fast-check";
import { expect, test } from "vitest";
import { isPublished } from "./migrate.ts";
import type { Activity } from "./run.ts";
import { joinEntries } from "./start.ts";
import { activity, compositionOf, journeyOf, MINUTE, T0, World } from "./testJourney.ts";

const ACTIONS = ["start", "a", "b"] as const;
const RESULTS = {
  goal: [undefined],
  message: [undefined],
  delay: [undefined],
  filter: ["yes", "no"],
  wait: ["0", "1", "timeout"],
  split: ["left", "right"],
  webhook: ["ok", "failed"],
} as const;
type Type = keyof typeof RESULTS;

const minutes = (n: number) => ({ n, unit: "minute" });
function configOf(type: Type, id: string, n: number): object {
  const any = [{ event: "a", ...(n % 2 === 0 && { match: ["k"] }) }, n % 3 === 0 ? criterion : { event: "b" }];
  const paths = [
    { label: "left", weight: 1 },
    { label: "right", weight: n },
  ];
  switch (type) {
    case "goal":
      return { name: `goal ${n % 3}` };
    case "message":
      return { templateKey: id, onSkip: n % 2 === 0 ? "exit" : "next" };
    case "delay":
      return n % 4 === 0 ? { until: { time: "09:30" } } : { for: minutes(n) };
    case "filter":
      return criterion;
    case "wait":
      return { any, timeout: minutes(60 + n), since: n % 2 === 0 ? "entry" : "here" };
    case "split":
      return { paths };
    case "webhook":
      return { url: "https://example.com" };
  }
}
const criterion = { criteria: { list: "VIP", op: "in" } };

const node = fc.record({
  type: fc.constantFrom<Type>("goal", "message", "delay", "filter", "wait", "wait", "split", "webhook"),
  n: fc.integer({ min: 1, max: 40 }),
  /** Each result leads so many nodes on; back, where it waits, or to the end beyond that. */
  leads: fc.array(fc.integer({ min: -3, max: 4 }), { minLength: 3, maxLength: 3 }),
});

/** Drafts that can be published: edges go forward, but for those that wait; what nothing leads to is left out. */
const draft = fc
  .record({
    nodes: fc.array(node, { minLength: 2, maxLength: 7 }),
    entry: fc.constantFrom(
      ...[
        { reentry: "once" },
        { reentry: "always" },
        { reentry: "after-exit", key: "k" },
        { reentry: { after: minutes(50) } },
      ],
      ...[
        { reentry: "always", audience: "buyers" },
        { reentry: "after-exit", holdoutPercent: 50 },
      ],
    ),
    exit: fc.constantFrom([], [], [{ event: "b", match: ["k"] }], [criterion]),
    goals: fc.constantFrom([], [{ name: "g", event: "a", within: minutes(90) }]),
  })
  .map(({ nodes, ...members }) => {
    const edgesOf = nodes.map(({ type, leads }, index) =>
      RESULTS[type].flatMap((label, position) => {
        const lead = leads[position] ?? 0;
        const waits = label === "timeout" || (type === "delay" && lead < 0);
        const target = lead > 0 || (waits && lead < 0) ? index + lead : -1;
        return nodes[target] === undefined ? [] : [{ to: target, ...(label !== undefined && { label }) }];
      }),
    );
    const reached = new Set([0]);
    for (const from of reached) for (const { to } of edgesOf[from] ?? []) reached.add(to);
    const actions = [...reached].flatMap((index) => {
      const one = nodes[index];
      if (one === undefined) return [];
      const next = (edgesOf[index] ?? []).map(({ to, ...label }) => ({ id: `n${to}`, ...label }));
      return [{ id: `n${index}`, type: one.type, config: configOf(one.type, `n${index}`, one.n), next }];
    });
    return { ...members, actions };
  });

const fact = fc.record({
  action: fc.constantFrom(...ACTIONS),
  minutes: fc.integer({ min: 0, max: 70 }),
  k: fc.constantFrom(1, 2, undefined),
});
type Input = { readonly action: string; readonly minutes: number; readonly k: number | undefined };
const facts = fc.array(fact, { minLength: 1, maxLength: 12 });

/** Facts in the order of their positions, each so many minutes after the one before. */
function activitiesOf(provided: readonly Input[]): Activity[] {
  let at = T0;
  return [{ action: "start", minutes: 0, k: 1 }, ...provided].map(({ action, minutes: after, k }, index) => {
    at += after * MINUTE;
    return activity(index + 1, action, { at, properties: { k } });
  });
}

const outside = fc.constantFrom(
  ...[{ fits: () => true }, { fits: () => false }],
  { fits: (_: string, at: number) => Math.floor(at / MINUTE) % 3 === 0, result: () => "error" as const },
  { fits: (_: string, at: number) => Math.floor(at / MINUTE) % 2 === 0, result: () => "skipped" as const },
);
/** Answers that take their time. */
const slow = fc
  .record({ answers: outside, latencyMs: fc.constantFrom(0, 1_000, 90_000, 10 * MINUTE) })
  .map(({ answers, latencyMs }) => ({ ...answers, latencyMs }));

function stateOf(world: World) {
  const runs = [...world.runs.values()].toSorted((one, other) => (one.id < other.id ? -1 : 1));
  return JSON.parse(JSON.stringify({ runs, effects: [...world.effects.keys()].sort(), entries: [...world.entries] }));
}

test("a fold over facts in any cut is the same, with restarts and timers in between", () => {
  const cuts = fc.array(fc.nat(70), { minLength: 14, maxLength: 14 });
  fc.assert(
    fc.property(draft, facts, slow, cuts, (received, sequence, answers, pauses) => {
      const [whole, cut] = [new World(journeyOf(received), answers), new World(journeyOf(received), answers)];
      // With slow answers one run may have to wait for what another one does.
      cut.isLate = answers.latencyMs === 0;
      const activities = activitiesOf(sequence);
      for (const one of activities) whole.give(one);
      activities.forEach((one, index) => {
        cut.time(Math.max(T0, one.at - (pauses[index] ?? 0) * MINUTE)).restart();
        cut.give(one).restart();
      });
      expect(stateOf(cut)).toEqual(stateOf(whole));
      // Circles of delays go on for ever: a stretch is enough.
      const last = (activities.at(-1)?.at ?? T0) + 600 * MINUTE;
      for (let at = last - 600 * MINUTE; at < last; at += 7 * MINUTE) cut.time(at);
      expect(stateOf(cut.time(last))).toEqual(stateOf(whole.time(last)));
    }),
    { numRuns: 150 },
  );
});

test("a replay of any facts changes nothing", () => {
  fc.assert(
    fc.property(draft, facts, slow, fc.nat(12), (given, sequence, answers, from) => {
      const [once, again] = [new World(journeyOf(given), answers), new World(journeyOf(given), answers)];
      const activities = activitiesOf(sequence);
      activities.forEach((one, index) => {
        once.give(one);
        again.give(one);
        const now = one.at;
        for (const old of activities.slice(Math.min(from, index), index + 1)) {
          for (const run of again.runs.values()) again.input(run.id, { kind: "activity", activity: old });
        }
        again.give({ ...one, at: now });
      });
      expect(stateOf(again)).toEqual(stateOf(once));
    }),
    { numRuns: 100 },
  );
});

test("two facts of two partitions lead, in either order, to a path that one of the orders allows", () => {
  fc.assert(
    fc.property(draft, facts, fact, fact, outside, (given, sequence, one, other, answers) => {
      const before = activitiesOf(sequence);
      const last = before.at(-1)?.at ?? T0;
      const pathOf = (first: Input & { at: number }, second: Input & { at: number }) => {
        const world = new World(journeyOf({ ...given, entry: { reentry: "once" } }), answers);
        for (const fact of before) world.give(fact);
        [first, second].forEach(({ action, at, k }, index) => {
          world.give(activity(100 + index, action, { at, stream: `${index}`, properties: { k } }));
        });
        return JSON.stringify([world.path(), world.run().node]);
      };
      const [early, late] = [
        { ...one, at: last + Math.min(one.minutes, other.minutes) * MINUTE },
        { ...other, at: last + Math.max(one.minutes, other.minutes) * MINUTE },
      ];
      const allowed = [pathOf(early, late), pathOf({ ...late }, { ...early, at: late.at })];
      expect(allowed).toContain(pathOf(late, early));
    }),
    { numRuns: 100 },
  );
});

test("with `once` nobody enters twice, in any interleaving of starts and a merge", () => {
  const starts = fc.array(fc.record({ contact: fc.constantFrom(1, 2), minutes: fc.nat(200) }), {
    minLength: 2,
    maxLength: 8,
  });
  fc.assert(
    fc.property(draft, starts, fc.nat(8), outside, (given, sequence, mergeAt, answers) => {
      // Each contact has a world of its own until they are merged.
      const journey = journeyOf({ ...given, entry: { reentry: "once" } });
      const worlds = [1, 2].map(() => new World(journey, answers));
      let at = T0;
      let merged: World | undefined;
      const countOf = (world: World | undefined) => world?.wanted("entered").length ?? 0;
      let beforeMerge = { either: 0, own: 0 };
      sequence.forEach(({ contact, minutes: after }, index) => {
        at += after * MINUTE;
        const [one, other] = worlds;
        if (index === mergeAt && one !== undefined && other !== undefined) {
          for (const [id, run] of other.runs) one.runs.set(id, run);
          for (const [key, entries] of other.entries) {
            one.entries.set(key, joinEntries(one.entries.get(key) ?? { positions: {} }, entries));
          }
          beforeMerge = { either: countOf(one) + countOf(other), own: countOf(one) };
          one.merge(1, at);
          merged = one;
        }
        (merged ?? worlds[contact - 1])?.give(activity(index + 1, "start", { at, contact }));
      });
      expect(worlds.every((world) => countOf(world) <= 1)).toBe(true);
      if (merged === undefined) return;
      expect(countOf(merged) - beforeMerge.own).toBeLessThanOrEqual(beforeMerge.either === 0 ? 1 : 0);
      expect(merged.live().length).toBeLessThanOrEqual(1);
    }),
    { numRuns: 100 },
  );
});

test("publishing without a change makes no version, and a change makes one", () => {
  fc.assert(
    fc.property(draft, (given) => {
      const published = compositionOf(given);
      const stored: typeof published = JSON.parse(JSON.stringify(published));
      expect(isPublished(compositionOf(given), stored)).toBe(true);
      expect(isPublished({ ...published, goals: [] }, stored)).toBe(published.goals.length === 0);
    }),
    { numRuns: 50 },
  );
});

test("a run never has more than a hundred steps at one time", () => {
  fc.assert(
    fc.property(draft, facts, outside, (given, sequence, answers) => {
      const world = new World(journeyOf(given), answers);
      for (const one of activitiesOf(sequence)) world.give(one);
      expect([...world.runs.values()].every(({ steps, seen }) => steps <= 101 && seen.length <= 101)).toBe(true);
    }),
    { numRuns: 50 },
  );
});
