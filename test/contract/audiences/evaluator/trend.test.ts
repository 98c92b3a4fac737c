import type { ClickHouse } from "@headwater/clickhouse/clickhouse";
import {
  type CriteriaNode,
  compileTrend,
  compileTrendValues,
  isFieldLeaf,
  parseCriteria,
  type SegmentSource,
} from "@headwater/criteria";
import { seedFrom } from "@headwater/testing";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Fresh, freshClickHouse } from "../../stores/fresh.ts";
import { contextOf } from "./contextOf.ts";
import { evaluate, type Question } from "./evaluate.ts";
import { loadWorld } from "./loadWorld.ts";
import type { World } from "./model.ts";
import { randomCriteria } from "./randomCriteria.ts";
import { NOW, randomWorld } from "./randomWorld.ts";

/** Worlds, instants and rules come from this seed. */
const SEED = seedFrom(process.env.AUDIENCE_SEED);
const WORLDS = Math.ceil(Number(process.env.AUDIENCE_WORLDS || 1) / 2);
const RULES = 16;
const TIMEOUT_MS = 60_000 + WORLDS * RULES * 5_000;

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
let fresh: Fresh<ClickHouse>;
let clickHouse: ClickHouse;
let accounts = 0;

beforeAll(async () => {
  fresh = await freshClickHouse();
  clickHouse = fresh.store;
});
afterAll(() => fresh.drop());

interface Timeline extends Omit<Question, "asOf"> {
  readonly bounds: readonly number[];
}

function parsed(rule: object, world: World): CriteriaNode {
  const result = parseCriteria(rule, contextOf(world));
  if (result.kind === "invalid") throw new Error(JSON.stringify([rule, result.errors]));
  return result.criteria;
}

interface Step {
  readonly segment: number;
  readonly point: number;
  readonly entered: number;
  readonly gone: number;
}

/** Contacts are checked in parts, as a long trend is. */
const PARTS = [0, 13, 1_000];

async function trendOf(rule: object, world: World, { segmented, ...timeline }: Asked, account: number) {
  const criteria = parsed(rule, world);
  const segments = segmented && { source: sourceOf(segmented, world), values: segmented.values };
  const { bounds } = timeline;
  const rows = Array.from({ length: segmented === undefined ? 1 : segmented.values.length + 2 }, () =>
    bounds.map(() => ({ count: 0, entered: 0, left: 0 })),
  );
  for (const [index, from] of PARTS.slice(0, -1).entries()) {
    const numbers = { from, to: PARTS[index + 1] ?? 0 };
    const options = { ...timeline, account, hasMerges: world.aliases.size > 0, numbers };
    const { sql, params } = compileTrend(criteria, options, segments);
    for (const { segment, point, entered, gone } of await clickHouse.query<Step>(sql, params)) {
      const row = rows[segment]?.[point];
      if (row === undefined) throw new Error(`no row has place ${segment}, ${point}`);
      Object.assign(row, { entered: row.entered + Number(entered), left: row.left + Number(gone) });
    }
  }
  for (const segment of rows) {
    let count = 0;
    for (const row of segment) {
      count += row.entered - row.left;
      row.count = count;
    }
  }
  return rows;
}

interface Segmented {
  readonly by: string | readonly number[];
  readonly values: readonly string[];
  /** Rules of the segments in the order of the values, then of the others and of none. */
  readonly rules: readonly object[];
}

interface Asked extends Timeline {
  readonly segmented?: Segmented | undefined;
}

function sourceOf({ by }: Segmented, world: World): SegmentSource {
  if (typeof by !== "string")
    return { kind: "lists", lists: contextOf(world).lists.filter(({ id }) => by.includes(id)) };
  const leaf = parsed({ field: by, op: "exists" }, world);
  if (!isFieldLeaf(leaf)) throw new Error("a rule about a field is one");
  return { kind: "field", target: leaf.target };
}

const is = (field: string, value: string) => ({ field, op: "eq", value });
const SEGMENTED: readonly Segmented[] = [
  byField("attributes.color", ["red", "blue", "never"]),
  byField("channels.email.subscribeStatus", ["subscribed", "none"]),
  byField("attributes.home.city", ["Bonn", "Oslo"]),
  {
    by: [1, 2, 3],
    values: ["2", "1"],
    rules: [
      { list: "news", op: "in" },
      { list: 1, op: "in" },
      { list: 3, op: "in" },
      { and: [1, "news", 3].map((list) => ({ list, op: "notIn" })) },
    ],
  },
];

function byField(by: string, values: readonly string[]): Segmented {
  const others = { and: [{ field: by, op: "exists" }], exclude: { field: by, op: "in", value: values } };
  return { by, values, rules: [...values.map((value) => is(by, value)), others, { field: by, op: "notExists" }] };
}

function expectedOf(rule: object, world: World, { bounds, ...timeline }: Timeline) {
  let before = new Set<number>();
  return bounds.map((asOf) => {
    const here = evaluate(rule, world, { ...timeline, asOf });
    const row = { count: here.size, entered: here.difference(before).size, left: before.difference(here).size };
    before = here;
    return row;
  });
}

/** Instants of a trend: some at even distances, some at any, some where clocks change. */
const bounds = fc
  .tuple(
    fc.constantFrom(HOUR, 5 * HOUR, DAY, 7 * DAY, 30 * DAY),
    fc.integer({ min: 2, max: 25 }),
    fc.array(fc.integer({ min: NOW - 320 * DAY, max: NOW }), { maxLength: 5 }),
    fc.constantFrom(NOW, NOW - 3 * DAY, NOW - 29 * DAY, NOW - 150 * DAY),
  )
  .map(([grain, length, others, end]) => {
    const even = Array.from({ length }, (_, index) => end - index * grain);
    return [...new Set([...even, ...others])].sort((a, b) => a - b);
  });

const timelines = fc.record({
  now: fc.constant(NOW + DAY),
  basis: fc.constantFrom("recorded" as const, "event" as const),
  timezone: fc.constantFrom("Europe/Berlin", "America/New_York", "Asia/Kolkata", "Asia/Beirut", "Australia/Lord_Howe"),
  currency: fc.constantFrom("USD", "EUR"),
  bounds,
});

describe(`a trend (AUDIENCE_SEED=${SEED})`, { timeout: TIMEOUT_MS }, () => {
  test("counts at each point whom a plain evaluation as of that point finds, and who entered and left", async () => {
    for (const world of fc.sample(randomWorld, { seed: SEED, numRuns: WORLDS })) {
      const account = ++accounts;
      await loadWorld(clickHouse, account, world);
      const property = fc.asyncProperty(randomCriteria, timelines, async (rule, timeline) => {
        expect(await trendOf(rule, world, timeline, account)).toEqual([expectedOf(rule, world, timeline)]);
      });
      await fc.assert(property, { seed: SEED, numRuns: RULES, endOnFailure: true });
    }
  });

  test("counts segments as criteria with one rule more", async () => {
    for (const world of fc.sample(randomWorld, { seed: SEED, numRuns: WORLDS })) {
      const account = ++accounts;
      await loadWorld(clickHouse, account, world);
      const ofSegments = fc.constantFrom(...SEGMENTED);
      const property = fc.asyncProperty(randomCriteria, timelines, ofSegments, async (rule, timeline, segmented) => {
        const expected = segmented.rules.map((one) => expectedOf({ and: [rule, one] }, world, timeline));
        expect(await trendOf(rule, world, { ...timeline, segmented }, account)).toEqual(expected);
      });
      await fc.assert(property, { seed: SEED, numRuns: Math.ceil(RULES / 4), endOnFailure: true });
    }
  });

  test("finds the values of segments with the contacts that have them at each point", async () => {
    const rule = { or: [{ event: "open" }, { list: 1, op: "in" }] };
    const known = { and: [rule, { field: "attributes.color", op: "exists" }] };
    const world = fc
      .sample(randomWorld, { seed: SEED, numRuns: 50 })
      .find((one) =>
        BASES.every((basis) => evaluate(known, one, { ...timelineOf(basis), asOf: NOW - 3 * DAY }).size > 0),
      );
    if (world === undefined) throw new Error("no world has a contact with a color whom the rule finds");
    const account = ++accounts;
    await loadWorld(clickHouse, account, world);
    for (const basis of BASES) {
      const timeline = timelineOf(basis);
      const source = sourceOf(byField("attributes.color", []), world);
      const options = { ...timeline, account, hasMerges: true, numbers: { from: 0, to: 1_000 } };
      const { sql, params } = compileTrendValues(parsed(rule, world), options, source);
      const found = await clickHouse.query<ValueStep>(sql, params);
      expect(found.length).toBeGreaterThan(0);
      for (const [point, asOf] of timeline.bounds.entries()) {
        const upTo = found.filter((step) => step.point <= point);
        const counts = Object.groupBy(upTo, ({ text }) => text);
        const sums = Object.entries(counts).map(([text, steps = []]) => [text, sumOf(steps)] as const);
        expect(sums.reduce((sum, [, count]) => sum + count, 0)).toBe(
          evaluate(known, world, { ...timeline, asOf }).size,
        );
        for (const [text, count] of sums) {
          const one = { and: [rule, is("attributes.color", text)] };
          expect([text, count]).toEqual([text, evaluate(one, world, { ...timeline, asOf }).size]);
        }
      }
    }
  });
});

interface ValueStep {
  readonly text: string;
  readonly point: number;
  readonly change: number;
}

function sumOf(steps: readonly ValueStep[]): number {
  return steps.reduce((sum, { change }) => sum + Number(change), 0);
}

const BASES = ["recorded", "event"] as const;

function timelineOf(basis: (typeof BASES)[number]) {
  const bounds = [NOW - 90 * DAY, NOW - 30 * DAY, NOW - 9 * DAY, NOW - 3 * DAY];
  return { now: NOW + DAY, basis, timezone: "UTC", currency: "USD", bounds };
}
