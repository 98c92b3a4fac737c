import type { ClickHouse } from "@headwater/clickhouse/clickhouse";
import { compileCriteria, compileTrend, parseCriteria } from "@headwater/criteria";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Fresh, freshClickHouse } from "../../stores/fresh.ts";
import { contextOf } from "./contextOf.ts";
import { evaluate } from "./evaluate.ts";
import { loadWorld } from "./loadWorld.ts";
import type { World } from "./model.ts";
import { NOW } from "./randomWorld.ts";

const DATES = [
  ...["0001-02-03", "0044-03-15", "1850-05-05T23:30:00Z", "1890-01-01", "1899-12-31", "1899-12-31T23:30:00-05:00"],
  ...["1900-01-01", "1900-01-02", "1970-01-01", "2026-03-15T12:00:00Z", "2299-12-31", "2305-06-07T00:00:00Z"],
  ...["2350-01-01", "9999-12-31", "none"],
];

const rulesOf = (field: string) =>
  [
    { op: "inLast", value: { n: 150, unit: "year" } },
    { op: "inLast", value: { n: 50_000, unit: "day" } },
    { op: "inLast", value: { n: 200, unit: "year" } },
    { op: "notInLast", value: { n: 150, unit: "year" } },
    { op: "inNext", value: { n: 200, unit: "year" } },
    { op: "anniversaryInLast", value: { n: 6, unit: "month" } },
    { op: "anniversaryInNext", value: { n: 6, unit: "month" } },
    ...["0044-03-15", "1850-05-05", "1900-01-01", "2299-12-31", "2305-06-07", "9999-12-31"].flatMap((value) =>
      ["on", "before", "after"].map((op) => ({ op, value })),
    ),
    { op: "between", value: ["0001-02-03", "1890-01-01"] },
    { op: "between", value: ["2299-12-31", "9999-12-31"] },
  ].map((condition) => ({ field, ...condition }));

const world: World = {
  contacts: DATES.map((_, index) => ({
    number: index + 1,
    cid: String(index + 1).padStart(24, "0"),
    createdAt: NOW - 1_000,
    modifiedAt: NOW - 1_000,
    deleted: false,
  })),
  aliases: new Map(),
  lists: [],
  fields: DATES.map((value, index) => ({ contact: index + 1, at: NOW - 1_000, field: "attributes.born", value })),
  memberships: [],
  orders: [],
  activities: [],
};

let fresh: Fresh<ClickHouse>;
beforeAll(async () => {
  fresh = await freshClickHouse();
  await loadWorld(fresh.store, 1, world);
});
afterAll(() => fresh.drop());

describe.each(["UTC", "Europe/Berlin", "America/New_York"])("in %s", (timezone) => {
  test.each(rulesOf("attributes.born"))("a date far off is what it says: $op $value", async (rule) => {
    const question = { now: NOW, asOf: NOW, basis: "recorded", timezone, currency: "USD" } as const;
    const parsed = parseCriteria(rule, contextOf(world));
    if (parsed.kind === "invalid") throw new Error(JSON.stringify(parsed.errors));
    const count = compileCriteria(parsed.criteria, { ...question, account: 1, hasMerges: false, sampleSize: 1_000 });
    const [row] = await fresh.store.query<{ readonly count: number; readonly sample: string[] }>(
      count.sql,
      count.params,
    );
    const wanted = [...evaluate(rule, world, question)].sort((a, b) => a - b);
    expect(row?.sample.map(Number).sort((a, b) => a - b)).toEqual(wanted);
    const numbers = { from: 0, to: 1_000 };
    const trend = compileTrend(parsed.criteria, { ...question, account: 1, hasMerges: false, bounds: [NOW], numbers });
    const { sql, params } = trend;
    const rows = await fresh.store.query<{ readonly entered: number }>(sql, params);
    expect(rows.reduce((sum, { entered }) => sum + entered, 0)).toBe(wanted.length);
  });
});
