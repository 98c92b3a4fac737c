import { describe, expect, test } from "vitest";
import { context, errorsOf, field } from "./exampleAccount.ts";
import { parseCriteria } from "./parseCriteria.ts";

const nested = (depth: number): object => (depth === 1 ? { and: [] } : { not: nested(depth - 1) });

describe("a wrong rule is reported with its pointer and code", () => {
  test.each<[string, unknown, string[]]>([
    ["not an object", 5, [" type_mismatch"]],
    ["an empty object", {}, [" bad_value"]],
    ["a misspelled kind", { feild: "x", op: "eq" }, ["/feild unknown_member", "/op unknown_member"]],
    ["a member beside and", { and: [], field: "x" }, ["/field unknown_member"]],
    ["and and or together", { and: [], or: [] }, ["/or unknown_member"]],
    ["exclude beside not", { not: { and: [] }, exclude: { and: [] } }, ["/exclude unknown_member"]],
    ["and without an array", { and: {} }, ["/and type_mismatch"]],
    ["a broken exclude", { and: [], exclude: {} }, ["/exclude bad_value"]],
    [
      "an unknown operator deep inside",
      { and: [{ or: [] }, field({ op: "is", value: 1 })] },
      ["/and/1/op unknown_operator"],
    ],
    ["a field that is no string", { field: 1, op: "exists" }, ["/field type_mismatch"]],
    [
      "a postal code",
      field(
        { op: "within", value: { postalCode: "92108", country: "US", distance: 1, unit: "mi" } },
        "attributes.home",
      ),
      ["/value/postalCode unknown_reference"],
    ],
    ["a saved audience", { audience: "x" }, ["/audience unknown_reference"]],
    ["a supplement", { supplement: "cars", where: [] }, ["/supplement unknown_reference"]],
    ["a cart", { cart: "full" }, ["/cart bad_value"]],
    ["a sample", { sample: { percent: 5.555 } }, ["/sample/percent bad_value"]],
    ["names that need escaping in a pointer", { "a/b~c": 1 }, ["/a~1b~0c unknown_member"]],
  ])("%s", (_, rule, errors) => {
    expect(errorsOf(rule)).toEqual(errors);
  });

  test("all errors of an object are listed, not only the first", () => {
    const rule = { and: [field({ op: "is" }), { list: "no", op: "eq" }, { not: {} }], exclude: { event: 5 } };
    expect(errorsOf(rule)).toEqual([
      "/and/0/op unknown_operator",
      "/and/1/op unknown_operator",
      "/and/1/list unknown_reference",
      "/and/2/not bad_value",
      "/exclude/event type_mismatch",
    ]);
  });

  test("the first twenty misspelled names come with suggestions, of which one context may know more than another", () => {
    const names = Array.from({ length: 21 }, (_, index) => `attributes.colour${index}`);
    const parsed = parseCriteria({ and: names.map((name) => field({ op: "exists" }, name)) }, context);
    if (parsed.kind !== "invalid") throw new Error("they are not known");
    expect(parsed.unknownFields).toEqual(names);
    expect(parsed.errors.map(({ code, allowed }) => [code, allowed?.[0]])).toEqual([
      ...names.slice(0, 20).map(() => ["unknown_field", "attributes.color"]),
      ["unknown_field", undefined],
    ]);
    const wider = { ...context, fields: new Map([["attributes.colours", "string" as const]]) };
    expect(parsed.errorsIn(wider)[0]?.allowed).toEqual(["attributes.colours"]);
  });

  test("a misspelled field comes with the nearest names, a wrong operator with those of the type", () => {
    const parsed = parseCriteria(
      {
        and: [field({ op: "exists" }, "attributes.colour"), field({ op: "is", value: 1 }, "attributes.lifetime_value")],
      },
      context,
    );
    const allowed = parsed.kind === "invalid" ? parsed.errors.map((error) => error.allowed) : [];
    expect(allowed[0]?.[0]).toBe("attributes.color");
    expect(allowed[1]).toEqual([
      "eq",
      "neq",
      "gt",
      "gte",
      "lt",
      "lte",
      "between",
      "in",
      "notIn",
      "exists",
      "notExists",
    ]);
  });
});

describe("limits", () => {
  test("ten levels pass and eleven do not", () => {
    expect(errorsOf(nested(10))).toEqual([]);
    expect(errorsOf(nested(11))).toEqual([`${"/not".repeat(10)} limit_exceeded`]);
  });

  test("200 nodes pass and 201 do not", () => {
    const rules = (count: number) => ({ and: Array.from({ length: count }, () => ({ and: [] })) });
    expect(errorsOf(rules(199))).toEqual([]);
    expect(errorsOf(rules(230))).toEqual(["/and/199 limit_exceeded"]);
  });

  test("1,000 values pass and 1,001 do not", () => {
    const rule = (count: number) => field({ op: "in", value: Array.from({ length: count }, (_, index) => index) });
    expect(errorsOf(rule(1_000))).toEqual([]);
    expect(errorsOf(rule(1_001))).toEqual(["/value limit_exceeded"]);
  });

  test("64 KiB pass and a byte more does not, whatever the shape and depth", () => {
    const rule = (length: number) => field({ op: "eq", value: "x".repeat(length) });
    const overhead = JSON.stringify(rule(0)).length;
    expect(errorsOf(rule(65_536 - overhead))).toEqual([]);
    expect(errorsOf(rule(65_537 - overhead))).toEqual([" limit_exceeded"]);
    let deep: unknown = 1;
    for (let level = 0; level < 100_000; level += 1) deep = [deep];
    expect(errorsOf({ and: deep })).toEqual([" limit_exceeded"]);
  });
});

test("the examples of the specification pass, as far as their leaves are there", () => {
  const examples = [
    {
      and: [
        { field: "channels.email.subscribeStatus", op: "eq", value: "subscribed" },
        { field: "attributes.lifetime_value", op: "gte", value: 500 },
      ],
    },
    {
      and: [
        {
          event: "browse",
          where: [{ field: "category", op: "eq", value: "Shoes" }],
          count: { op: "gte", value: 3 },
          within: { last: { n: 7, unit: "day" } },
        },
        { not: { order: true, within: { last: { n: 7, unit: "day" } } } },
      ],
    },
    {
      or: [
        { list: "vip", op: "in" },
        { order: true, sum: { of: "totalAmount", op: "gt", value: 1000 }, within: { last: { n: 1, unit: "year" } } },
      ],
    },
    { and: [], exclude: { event: "open", message: { id: "m" }, within: { last: { n: 90, unit: "day" } } } },
    field({ op: "eq", value: "Bonn" }, "attributes.home.city"),
    field({ op: "eq", value: 5 }, "identifiers.customer_id"),
  ];
  expect(examples.flatMap(errorsOf)).toEqual([]);
});

test("words of rules are read without case, as they are listed", () => {
  const last = (unit: string) => ({ last: { n: 7, unit } });
  const pairs: readonly (readonly [object, object])[] = [
    [field({ op: "EQ", value: "x" }), field({ op: "eq", value: "x" })],
    [
      { list: "VIP", op: "NotIn" },
      { list: "VIP", op: "notIn" },
    ],
    [
      { event: "a", count: { op: "GTE", value: 2 }, within: last("Day") },
      { event: "a", count: { op: "gte", value: 2 }, within: last("day") },
    ],
    [{ cart: "nonempty" }, { cart: "nonEmpty" }],
    [
      { order: true, status: "ANY" },
      { order: true, status: "any" },
    ],
    [
      field({ op: "eq", value: "Subscribed" }, "channels.email.subscribeStatus"),
      field({ op: "eq", value: "subscribed" }, "channels.email.subscribeStatus"),
    ],
  ];
  for (const [written, listed] of pairs)
    expect(parseCriteria(written, context)).toEqual(parseCriteria(listed, context));
  expect(pairs.flatMap(([written]) => errorsOf(written))).toEqual([]);
});
