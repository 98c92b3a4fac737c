import fc from "fast-check";
import { expect, test } from "vitest";
import { z } from "zod";
import { context } from "../parse/exampleAccount.ts";
import { parseCriteria } from "../parse/parseCriteria.ts";
import { criteriaSchema } from "./criteriaSchema.ts";
import { criteriaExamples } from "./examples.ts";

const allows = (rule: unknown) => criteriaSchema.safeParse(rule).success;
const week = { n: 7, unit: "day" };

test.each(Object.entries(criteriaExamples))("%s passes the schema and the parser", (_, rule) => {
  expect(allows(rule)).toBe(true);
  expect(parseCriteria(rule, context).kind).toBe("ok");
});

test.each<object>([
  { and: [], exclude: { event: "open", message: { channel: "email" }, within: { last: { n: 90, unit: "day" } } } },
  {
    and: [
      {
        field: "attributes.home",
        op: "within",
        value: { postalCode: "92108", country: "US", distance: 15, unit: "mi" },
      },
      { audience: "30_day_engaged" },
    ],
  },
  { supplement: "cars", where: [{ field: "model", op: "in", value: ["A", "B"] }], count: { op: "gte", value: 1 } },
  { cart: "empty" },
  { cart: "nonEmpty", within: { between: [week, { n: 1, unit: "hour" }] } },
  { sample: { percent: 10, salt: "a" } },
])("the schema describes %j, too", (rule) => {
  expect(allows(rule)).toBe(true);
});

test.each<unknown>([
  null,
  [],
  {},
  { and: {} },
  { and: [{}] },
  { and: [], or: [] },
  { and: [], not: { and: [] } },
  { andd: [] },
  { field: "attributes.color", op: "is", value: "red" },
  { field: "attributes.color", op: "eq" },
  { field: "attributes.color", op: "exists", value: 1 },
  { field: "attributes.color", op: "eq", value: null },
  { list: "vip" },
  { list: "vip", op: "eq" },
  { event: "open", count: { op: "gte", value: -1 } },
  { event: "open", within: { last: { n: 1, unit: "fortnight" } } },
  { order: false },
  { field: "attributes.color", op: "in", value: Array.from({ length: 1_001 }, () => "x") },
])("neither the schema nor the parser takes %j", (rule) => {
  expect(allows(rule)).toBe(false);
  expect(parseCriteria(rule, context).kind).toBe("invalid");
});

const property = fc.record(
  {
    field: fc.constantFrom("category", "price", "properties.x"),
    op: fc.constantFrom("eq", "gte", "contains", "exists", "inLast", "between", "is"),
    value: fc.constantFrom<unknown>("a", 1, true, ["a"], [1, 2], week, null),
  },
  { requiredKeys: ["field", "op"] },
);
const within = fc.constantFrom<unknown>(
  { last: week },
  { from: "2026-01-01" },
  { between: [week, week] },
  { next: week },
  {},
);
const count = fc.record({
  op: fc.constantFrom("eq", "gte", "between"),
  value: fc.constantFrom<unknown>(0, 3, -1, 1.5, "2"),
});
const leaf = fc.oneof(
  fc.record(
    {
      field: fc.constantFrom(
        "attributes.color",
        "attributes.born",
        "attributes.vip",
        "attributes.tags",
        "attributes.home",
        "cID",
      ),
      op: fc.constantFrom(
        "eq",
        "in",
        "contains",
        "on",
        "inLast",
        "today",
        "containsAll",
        "lengthEq",
        "within",
        "notExists",
      ),
      value: fc.constantFrom<unknown>("red", 1, true, ["a", 2], week, "2026-01-01", {
        lat: 1,
        lon: 2,
        distance: 3,
        unit: "km",
      }),
      ci: fc.boolean(),
    },
    { requiredKeys: ["field", "op"] },
  ),
  fc.record(
    {
      list: fc.constantFrom<unknown>("VIP", 7, "other", true),
      op: fc.constantFrom("in", "notIn", "eq"),
      joined: within,
    },
    { requiredKeys: ["list", "op"] },
  ),
  fc.record(
    {
      event: fc.constantFrom<unknown>("open", ["open", "click"], []),
      where: fc.array(property, { maxLength: 2 }),
      count,
      within,
      last: fc.boolean(),
      robots: fc.boolean(),
      message: fc.constantFrom({ id: "m" }, { tag: "t" }),
    },
    { requiredKeys: ["event"] },
  ),
  fc.record(
    {
      order: fc.constant(true),
      count,
      sum: fc.constant({ of: "totalAmount", op: "gt", value: "10.50" }),
      status: fc.constantFrom<unknown>("any", ["paid"]),
      within,
    },
    { requiredKeys: ["order"] },
  ),
);
const { rule } = fc.letrec<{ rule: unknown }>((tie) => ({
  rule: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    leaf,
    fc.record({ and: fc.array(tie("rule"), { maxLength: 3 }), exclude: tie("rule") }, { requiredKeys: ["and"] }),
    fc.record({ or: fc.array(tie("rule"), { maxLength: 3 }) }),
    fc.record({ not: tie("rule") }),
  ),
}));

test("whatever the parser takes passes the schema", () => {
  let taken = 0;
  fc.assert(
    fc.property(rule, (one) => {
      if (parseCriteria(one, context).kind === "invalid") return;
      taken += 1;
      if (!allows(one)) throw new Error(`the schema refuses ${JSON.stringify(one)}`);
    }),
    { numRuns: 2_000 },
  );
  expect(taken).toBeGreaterThan(200);
});

test("the schema is JSON Schema with a name for what refers to itself", () => {
  const { $defs = {} } = z.toJSONSchema(criteriaSchema, { io: "input" });
  expect(Object.keys($defs)).toEqual(expect.arrayContaining(["Criteria", "CriteriaProperty", "CriteriaWindow"]));
});
