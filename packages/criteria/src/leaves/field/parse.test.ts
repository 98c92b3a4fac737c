import { describe, expect, test } from "vitest";
import { context, errorsOf, field } from "../../parse/exampleAccount.ts";
import { parseCriteria } from "../../parse/parseCriteria.ts";

describe("a wrong condition on a field is reported with its pointer and code", () => {
  test.each<[string, unknown, string[]]>([
    ["an operator of another type", field({ op: "gt", value: 1 }, "attributes.color"), ["/op unknown_operator"]],
    ["no operator", field({}), ["/op bad_value"]],
    ["an operator that is no string", field({ op: 1 }), ["/op type_mismatch"]],
    ["an unknown field", field({ op: "exists" }, "attributes.colour"), ["/field unknown_field"]],
    [
      "an unknown field and what is an operator of no type",
      field({ op: "is", value: 1 }, "attributes.colour"),
      ["/field unknown_field", "/op unknown_operator"],
    ],
    ["no value", field({ op: "eq" }), ["/value bad_value"]],
    ["a value too many", field({ op: "exists", value: 1 }), ["/value bad_value"]],
    ["null as a value", field({ op: "eq", value: null }), ["/value type_mismatch"]],
    ["a number for a string", field({ op: "eq", value: 1 }, "attributes.color"), ["/value type_mismatch"]],
    [
      "a string for a number",
      field({ op: "gte", value: "500" }, "attributes.lifetime_value"),
      ["/value type_mismatch"],
    ],
    [
      "mixed types in one list",
      field({ op: "in", value: ["a", 1, true] }),
      ["/value/1 type_mismatch", "/value/2 type_mismatch"],
    ],
    ["an empty list of values", field({ op: "in", value: [] }), ["/value bad_value"]],
    ["a scalar for a list of values", field({ op: "in", value: "a" }), ["/value type_mismatch"]],
    ["an empty text to look for", field({ op: "contains", value: "" }), ["/value bad_value"]],
    ["a pair the wrong way round", field({ op: "between", value: [2, 1] }), ["/value bad_value"]],
    ["half a pair", field({ op: "between", value: [2] }), ["/value bad_value"]],
    ["a pair of a number and a text", field({ op: "between", value: [2, "3"] }), ["/value/1 type_mismatch"]],
    [
      "a status that there is not",
      field({ op: "eq", value: "subscribe" }, "channels.email.subscribeStatus"),
      ["/value bad_value"],
    ],
    ["a channel that there is not", field({ op: "exists" }, "channels.mail.address"), ["/field unknown_field"]],
    [
      "an identifier without canonical form",
      field({ op: "eq", value: " " }, "identifiers.customer_id"),
      ["/value bad_value"],
    ],
    ["ci on a number", field({ op: "gt", value: 1, ci: true }), ["/ci bad_value"]],
    [
      "ci on numbers that are equal",
      field({ op: "eq", value: 1, ci: true }, "attributes.lifetime_value"),
      ["/ci bad_value"],
    ],
    ["ci on a truth", field({ op: "eq", value: true, ci: true }, "attributes.vip"), ["/ci bad_value"]],
    ["ci that is no boolean", field({ op: "eq", value: "a", ci: 1 }), ["/ci type_mismatch"]],
    ["a date that is none", field({ op: "on", value: "2026-02-30" }, "attributes.born"), ["/value bad_value"]],
    ["a date that is a number", field({ op: "before", value: 5 }, "attributes.born"), ["/value type_mismatch"]],
    ["eq on a date", field({ op: "eq", value: "2026-02-03" }, "attributes.born"), ["/op unknown_operator"]],
    ["a span without a unit", field({ op: "inLast", value: { n: 1 } }, "attributes.born"), ["/value/unit bad_value"]],
    [
      "a span of nothing",
      field({ op: "inLast", value: { n: 0, unit: "day" } }, "attributes.born"),
      ["/value/n bad_value"],
    ],
    [
      "an endless span",
      field({ op: "inNext", value: { n: 201, unit: "year" } }, "attributes.born"),
      ["/value/n limit_exceeded"],
    ],
    [
      "an anniversary in seconds",
      field({ op: "anniversaryInNext", value: { n: 1, unit: "second" } }, "attributes.born"),
      ["/value/unit bad_value"],
    ],
    ["a length that is a fraction", field({ op: "lengthGt", value: 1.5 }, "attributes.tags"), ["/value bad_value"]],
    ["a length that is a text", field({ op: "lengthGt", value: "1" }, "attributes.tags"), ["/value type_mismatch"]],
    [
      "an element that is an object",
      field({ op: "containsAny", value: [{}] }, "attributes.tags"),
      ["/value/0 type_mismatch"],
    ],
    ["a boolean as text", field({ op: "eq", value: "true" }, "attributes.vip"), ["/value type_mismatch"]],
    [
      "a place without a unit",
      field({ op: "within", value: { lat: 1, lon: 1, distance: 5 } }, "attributes.home"),
      ["/value/unit bad_value"],
    ],
    [
      "a place off the globe",
      field({ op: "within", value: { lat: 91, lon: 1, distance: 5, unit: "km" } }, "attributes.home"),
      ["/value/lat bad_value"],
    ],
  ])("%s", (_, rule, errors) => {
    expect(errorsOf(rule)).toEqual(errors);
  });
});

test("a bare name suggests the attribute, the identifier or the address of that name", () => {
  const allowed = (name: string) => {
    const parsed = parseCriteria(field({ op: "exists" }, name), context);
    return parsed.kind === "invalid" ? parsed.errors[0]?.allowed : undefined;
  };
  expect(allowed("color")?.[0]).toBe("attributes.color");
  expect(allowed("customer_id")?.[0]).toBe("identifiers.customer_id");
  expect(allowed("email")).toEqual(["identifiers.email", "channels.email.address"]);
  expect(allowed("attributes.home.citty")?.[0]).toBe("attributes.home.city");
});

test.each([
  ["minute", 1, 1],
  ["minute", 1_441, 2],
  ["hour", 24, 1],
  ["hour", 25, 2],
  ["day", 3, 3],
])("an anniversary within units of a %s is one within whole days: %i are %i", (unit, n, days) => {
  const rule = field({ op: "anniversaryInLast", value: { n, unit } }, "attributes.born");
  expect(parseCriteria(rule, context)).toMatchObject({
    criteria: { condition: { test: { kind: "anniversaryInLast", span: { n: days, unit: "day" } } } },
  });
});

test("parts of an identifier that is kept in lower case are looked for without case", () => {
  const lowerCaseIdentifiers = new Set(["email"]);
  const ignoresCase = (op: string, name: string) => {
    const parsed = parseCriteria(field({ op, value: "A@Example" }, name), { ...context, lowerCaseIdentifiers });
    if (parsed.kind === "invalid") throw new Error("it is valid");
    return parsed.criteria;
  };
  for (const op of ["contains", "notContains", "startsWith", "endsWith", "regex"]) {
    const found = { condition: { test: { kind: "textMatch", ignoreCase: true } } };
    expect(ignoresCase(op, "identifiers.email")).toMatchObject(found);
    expect(ignoresCase(op, "identifiers.customer_id")).not.toMatchObject(found);
  }
  expect(ignoresCase("eq", "identifiers.email")).toMatchObject({ condition: { test: { ignoreCase: false } } });
});

test("an address is compared in the canonical form of its identifier, and one that has none is wrong", () => {
  const canonicalIdentifier = (name: string, value: string) => (value === "?" ? undefined : `${name} of ${value}`);
  const read = (value: string) =>
    parseCriteria(field({ op: "in", value: [value] }, "channels.sms.address"), { ...context, canonicalIdentifier });
  expect(read("+49 228 12345")).toMatchObject({
    criteria: { condition: { test: { kind: "textIn", values: ["phone of +49 228 12345"], ignoreCase: true } } },
  });
  expect(read("?")).toMatchObject({ errors: [{ path: "/value/0", code: "bad_value" }] });
});

describe("a wrong rule about a place is reported with its pointer and code", () => {
  test.each<[string, unknown, string[]]>([
    [
      "a country by its name",
      {
        field: "attributes.home",
        op: "within",
        value: { postalCode: "1", country: "Germany", distance: 1, unit: "km" },
      },
      ["/value/country bad_value"],
    ],
    [
      "a place said twice",
      {
        field: "attributes.home",
        op: "within",
        value: { postalCode: "1", country: "DE", lat: 1, distance: 1, unit: "km" },
      },
      ["/value/lat unknown_member", "/value/postalCode unknown_reference"],
    ],
  ])("%s", (_, rule, errors) => {
    expect(errorsOf(rule)).toEqual(errors);
  });
});
