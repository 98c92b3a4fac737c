import { describe, expect, test } from "vitest";
import { knownFields } from "../leaves/field/fields.ts";
import { parseCriteria } from "../parse/parseCriteria.ts";
import { compileCriteria } from "./compileCriteria.ts";
import type { CompileOptions } from "./query.ts";

const NOW = Date.UTC(2026, 2, 31, 12);
const present = {
  account: 7,
  now: NOW,
  basis: "recorded",
  timezone: "UTC",
  currency: "USD",
  hasMerges: false,
} as const;

function compile(rule: object, options: Partial<CompileOptions> = {}, clears: readonly string[] = []) {
  const fields = knownFields({ attributes: [["ltv", "auto"]], identifiers: [] });
  const parsed = parseCriteria(rule, { fields, lists: [{ id: 3, name: "vip", clears }] });
  if (parsed.kind === "invalid") throw new Error(JSON.stringify(parsed.errors));
  return compileCriteria(parsed.criteria, { ...present, ...options });
}

test("one leaf is one set without the erased contacts", () => {
  const { sql, params } = compile({ field: "attributes.ltv", op: "gte", value: 500 });
  expect(sql).toMatchInlineSnapshot(`
    "WITH
      (SELECT groupBitmapState(contact) FROM contact_fields_current FINAL WHERE account = {p0:UInt64} AND field = {p1:String} AND number >= {p2:Float64}) AS s0,
      (SELECT groupBitmapState(contact) FROM contacts_current FINAL WHERE account = {p0:UInt64} AND erased = 1) AS s1
    SELECT
      bitmapCardinality(bitmapAndnot(s0, s1)) AS count,
      (SELECT toString(max(revision)) FROM contact_aliases WHERE account = {p0:UInt64}) AS aliasRevision"
  `);
  expect(params).toEqual({ p0: 7, p1: "attributes.ltv", p2: 500 });
});

test("values of the caller are bound and never part of the text", () => {
  const evil = "'; DROP TABLE activities; --";
  const { sql, params } = compile({
    and: [
      { field: "attributes.ltv", op: "eq", value: evil },
      { event: evil, where: [{ field: evil, op: "regex", value: "DROP" }], message: { id: evil } },
      { order: true, where: [{ field: `properties.${evil}`, op: "eq", value: evil }], status: evil },
    ],
  });
  expect(sql).not.toContain("DROP");
  expect(Object.values(params)).toContain(evil);
});

test("of some contacts only their rows are read, and those of contacts merged into them", () => {
  const { sql, params } = compile(
    { field: "attributes.ltv", op: "gte", value: 500 },
    { among: [5, 9], hasMerges: true },
  );
  const within =
    "AND (contact IN {p1:Array(Int64)} OR contact IN (SELECT contact FROM contact_aliases WHERE account = {p0:UInt64} AND survivor IN {p1:Array(Int64)}))";
  expect(sql).toContain(within);
  expect(sql).toContain("bitmapBuild(arrayMap(number -> toUInt64(number), {p1:Array(Int64)}))");
  expect(params.p1).toEqual([5, 9]);
});

test("equal rules are read once", () => {
  const rule = { event: "open", within: { last: { n: 1, unit: "day" } } };
  const { sql } = compile({ or: [rule, { not: rule }, { and: [rule] }] });
  expect(sql.match(/FROM activities/g)).toHaveLength(1);
});

test("each node has a column when asked, with its pointer", () => {
  const rule = { and: [{ not: { event: "open" } }], exclude: { list: "vip", op: "in" } };
  const { nodes } = compile(rule, { explain: true });
  expect(nodes.map(({ path }) => path)).toEqual(["", "/and/0", "/and/0/not", "/exclude"]);
  expect(compile(rule).nodes).toEqual([]);
});

test("sums count the orders they leave out for their currency", () => {
  const rule = { or: [{ order: true, sum: { of: "totalAmount", op: "gt", value: 5 } }] };
  expect(compile(rule, { explain: true }).notes).toMatchObject([{ path: "/or/0", code: "ORDERS_IN_OTHER_CURRENCIES" }]);
});

test("all contacts are read for complements and for what may be there before its contact, else only the deleted ones", () => {
  const field = { field: "attributes.ltv", op: "exists" };
  const event = { event: "open" };
  const readsAll = (rule: object, options: Partial<CompileOptions> = {}) =>
    compile(rule, options).sql.includes("deleted = 0");
  expect(readsAll({ and: [field, { not: event }, { list: 3, op: "notIn" }], exclude: event })).toBe(false);
  expect(readsAll({ and: [field, { or: [event, field] }] })).toBe(false);
  expect(readsAll({ or: [event, field] })).toBe(true);
  expect(readsAll({ not: field })).toBe(true);
  expect(readsAll({ and: [field, { not: event }] }, { explain: true })).toBe(true);
  expect(readsAll(field, { asOf: NOW - 1_000 })).toBe(true);
});

test("aliases are looked up only for the watermark without merges; with merges every leaf resolves its numbers and no alias is counted", () => {
  const rule = { or: [{ event: "open" }, { event: "open", count: { op: "gt", value: 1 } }, { list: 3, op: "in" }] };
  expect(compile(rule).sql.match(/contact_aliases.*/g)).toEqual([
    "contact_aliases WHERE account = {p0:UInt64}) AS aliasRevision",
  ]);
  const { sql } = compile(rule, { hasMerges: true });
  expect(sql.match(/LEFT ANY JOIN/g)).toHaveLength(1);
  expect(sql.match(/bitmapContains/g)).toHaveLength(2);
  const [, aliases = ""] = /SELECT groupBitmapState\(contact\) FROM contact_aliases[^\n]* AS (\w+),?\n/.exec(sql) ?? [];
  expect(sql).toMatch(new RegExp(`bitmapAndnot\\(\\w+, ${aliases}\\)[^\n]*AS count`));
});

test("the last event's time and verdict are compared as one number", () => {
  const { sql } = compile({ event: "open", last: true, where: [{ field: "a", op: "eq", value: "x" }] });
  expect(sql).toContain("max(toUnixTimestamp64Milli(time) * 2 + toUInt8(");
});

test("a number is read by the cheaper way only where 0, which stands for none, fails", () => {
  const readAs = (op: string, value: unknown) =>
    /JSONExtractFloat|toFloat64OrNull/.exec(
      compile({ event: "open", where: [{ field: "price", op, value }] }).sql,
    )?.[0];
  expect([readAs("gte", 150), readAs("lt", 0), readAs("in", [1, 2]), readAs("between", [1, 2])]).toEqual(
    Array(4).fill("JSONExtractFloat"),
  );
  expect([readAs("gte", 0), readAs("lt", 150), readAs("in", [0, 2]), readAs("between", [-1, 2])]).toEqual(
    Array(4).fill("toFloat64OrNull"),
  );
});

describe("time", () => {
  const lastMonth = { event: "open", within: { last: { n: 1, unit: "month" } } };
  const instants = (options: Partial<CompileOptions>) =>
    Object.values(compile(lastMonth, options).params).filter((value) => /^\d{4}-/.test(String(value)));

  test("months go by the calendar of the zone: a month before 31 March is 28 February", () => {
    expect(instants({})).toEqual(["2026-02-28 12:00:00.000", "2026-03-31 12:00:05.000"]);
    expect(instants({ timezone: "Europe/Berlin" })[0]).toBe("2026-02-28 13:00:00.000");
  });

  test("the present takes events of clocks that are a little ahead, a past moment takes none after it", () => {
    const asOf = Date.UTC(2026, 0, 1);
    expect(instants({ asOf, basis: "event" })).toEqual(["2026-01-01 00:00:00.000", "2025-12-01 00:00:00.000"]);
  });

  test("a list is as it was cleared up to the moment, by event time as it is now", () => {
    const clearedAt = (ms: number) => ms.toString(16).padStart(11, "0").padEnd(32, "8");
    const [first, last] = [clearedAt(NOW - 90_000), clearedAt(NOW - 30_000)];
    const boundClears = (options: Partial<CompileOptions>) => {
      const { params } = compile({ list: 3, op: "in" }, options, [last, first]);
      return Object.values(params).filter((value) => value === first || value === last);
    };
    expect(boundClears({})).toEqual([last]);
    expect(boundClears({ asOf: NOW - 30_000 })).toEqual([last]);
    expect(boundClears({ asOf: NOW - 30_001 })).toEqual([first]);
    expect(boundClears({ asOf: NOW - 90_001 })).toEqual([]);
    expect(boundClears({ asOf: NOW - 90_001, basis: "event" })).toEqual([last]);
  });

  test("a past moment by what was recorded reads the history, by event time it reads the present", () => {
    const rule = { and: [{ list: 3, op: "in" }, { order: true }, { field: "attributes.ltv", op: "exists" }] };
    const asOf = Date.UTC(2026, 0, 1);
    const tables = compile(rule, { asOf }).sql.match(/\w+_history/g) ?? [];
    expect(tables.toSorted()).toEqual([
      "contact_fields_history",
      "contact_fields_history",
      "memberships_history",
      "memberships_history",
      "orders_history",
    ]);
    expect(compile(rule, { asOf, basis: "event" }).sql).not.toContain("_history");
    expect(compile(rule, { asOf: NOW }).sql).not.toContain("_history");
  });

  test.each([
    ["a window of a year", { order: true, within: { last: { n: 365, unit: "day" } } }, 1],
    ["no window", { order: true, sum: { of: "totalAmount", op: "gt", value: 5 } }, 1],
    [
      "a window of a month, of which few are looked for first",
      { order: true, within: { last: { n: 30, unit: "day" } } },
      undefined,
    ],
  ])("past orders of %s are grouped in the order of their table where all are", (_, rule, inOrder) => {
    const { settings } = compile(rule, { asOf: Date.UTC(2026, 0, 1) });
    expect(settings.optimize_aggregation_in_order).toBe(inOrder);
    expect(compile(rule).settings).not.toHaveProperty("optimize_aggregation_in_order");
  });

  test.each([
    ["of a field", { field: "attributes.ltv", op: "gte", value: 500 }, "contact_fields_history"],
    ["of a list", { list: 3, op: "in" }, "memberships_history"],
  ])("versions %s are grouped for those contacts alone of whom some pass and some fail", (_, rule, table) => {
    const reads = compile(rule, { asOf: Date.UTC(2026, 0, 1), hasMerges: true }).sql.split("\n");
    const grouped = reads.filter((read) => read.includes(table) && read.includes("GROUP BY owner"));
    expect(grouped).toHaveLength(1);
    expect(grouped[0]).toMatch(
      / PREWHERE contact IN \(SELECT arrayJoin\(bitmapToArray\(s\d+\)\) AS number UNION ALL SELECT /,
    );
  });
});

test("a contact that was merged and lives again is itself: its alias has no survivor", () => {
  for (const rule of [{ event: "visit" }, { field: "attributes.ltv", op: "gte", value: 500 }, { list: 3, op: "in" }]) {
    const sets = compile(rule, { hasMerges: true }).sql.match(/FROM contact_aliases FINAL WHERE[^\n)]*/g) ?? [];
    expect(sets.length).toBeGreaterThan(0);
    expect(sets.some((set) => set.includes("AND survivor > 0"))).toBe(true);
  }
});

describe("a page with an end", () => {
  const rule = { and: [{ field: "attributes.ltv", op: "gte", value: 500 }, { not: { list: "vip", op: "in" } }] };
  const page = { direction: "asc", after: 99, until: 20_099, skip: 0, rowsMax: 26 } as const;

  test("reads the rows between its beginning and its end alone, of every set", () => {
    const { sql, params } = compile(rule, { page });
    const sets = sql.split("\n").filter((line) => line.includes("FINAL"));
    expect(sets).toHaveLength(3);
    for (const set of sets) expect(set).toMatch(/ AND contact >= \{p\d:UInt64\} AND contact <= \{p\d:UInt64\}\)/);
    expect(Object.values(params)).toEqual(expect.arrayContaining([100, 20_099]));
  });

  test("reads all rows of merged contacts, whose survivors may lie anywhere", () => {
    const { sql } = compile(rule, { page, hasMerges: true });
    const sets = sql.split("\n").filter((line) => line.includes("_current FINAL"));
    for (const set of sets)
      expect(set).toContain("OR contact IN (SELECT contact FROM contact_aliases WHERE account = ");
  });

  test("goes no further than its end, backwards too, whatever a set holds", () => {
    expect(compile(rule, { page }).sql).toContain("bitmapSubsetInRange(");
    const { params } = compile(rule, { page: { ...page, direction: "desc", until: 7 } });
    expect(Object.values(params)).toEqual(expect.arrayContaining([7, 98, 99]));
  });

  test("without one all rows are read", () => {
    expect(compile(rule, { page: { ...page, until: undefined } }).sql).not.toContain("contact >=");
  });
});
