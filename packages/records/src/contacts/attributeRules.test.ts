import {
  type AttributeRule,
  arrayItemsMax,
  attributeTypes,
  castAttribute,
  defaultSettings,
  type Json,
} from "@headwater/contracts";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { castAttributes, toJson } from "./castAttributes.ts";

const read = (rule: AttributeRule, input: Json) => {
  const cast = castAttribute(rule, input, "UTC");
  return cast.kind === "value" ? cast.value : cast.kind;
};

describe("a value", () => {
  test.each<[AttributeRule["type"], Json, Json]>([
    ["auto", { any: 1 }, { any: 1 }],
    ["string", "x", "x"],
    ["string", 1, "mismatch"],
    ["number", " 1.5e2 ", 150],
    ["number", "1,5", "mismatch"],
    ["number", "1e999", "mismatch"],
    ["number", true, "mismatch"],
    ["boolean", "TRUE", true],
    ["boolean", "0", false],
    ["boolean", 1, "mismatch"],
    ["date", "2026-02-28", "2026-02-28"],
    ["date", "2026-02-30", "mismatch"],
    ["date", 5, "mismatch"],
    ["geo", { city: "Rome", loc: { lat: 41.9, lon: 12.5 } }, { city: "Rome", loc: { lat: 41.9, lon: 12.5 } }],
    ["geo", { loc: { lat: 91, lon: 0 } }, "mismatch"],
    ["geo", { planet: "Mars" }, "mismatch"],
    ["geo", {}, "mismatch"],
    ["geo", "Rome", "mismatch"],
    ["array", [1, 2], [1, 2]],
    ["array", { add: [1] }, { add: [1] }],
    ["array", { add: 1 }, "mismatch"],
    ["array", "x", "mismatch"],
    ["number", null, null],
  ])("of type %s reads %j as %j", (type, provided, wanted) => {
    expect(read({ type }, provided)).toEqual(wanted);
  });

  test("keeps within its validators, and is as long as usual where they say nothing", () => {
    const rule = (type: AttributeRule["type"], validators: AttributeRule["validators"]) => ({ type, validators });
    expect(read(rule("string", { min: 2 }), "a")).toBe("invalid");
    expect(read(rule("string", {}), "a".repeat(129))).toBe("invalid");
    expect(read({ type: "string" }, "a".repeat(129))).toHaveLength(129);
    expect(read(rule("number", { min: 0, max: 5 }), "6")).toBe("invalid");
    expect(read(rule("number", {}), 1_000)).toBe(1_000);
    expect(read(rule("number", { type: "integer" }), 1.5)).toBe("invalid");
    expect(read(rule("string", { type: "email" }), "a@b.c")).toBe("a@b.c");
    expect(read(rule("string", { type: "email" }), "a.b.c")).toBe("invalid");
    expect(read(rule("string", { type: "url" }), "no url")).toBe("invalid");
    expect(read(rule("number", { type: "number" }), "6")).toBe(6);
    expect(read(rule("string", { type: "string" }), "a")).toBe("a");
    expect(read(rule("string", { type: "date" }), "2026-02-28")).toBe("2026-02-28");
    expect(read(rule("string", { type: "date" }), "tomorrow")).toBe("invalid");
    expect(read(rule("array", { type: "array" }), { add: [1] })).toEqual({ add: [1] });
    expect(read(rule("array", { min: 1 }), [])).toBe("invalid");
    expect(read(rule("string", { required: true }), null)).toBe("invalid");
  });

  test("of an array keeps its newest items", () => {
    expect(read({ type: "array", maxItems: 2 }, [1, 2, 3])).toEqual([2, 3]);
    expect(
      read(
        { type: "array" },
        Array.from({ length: 30 }, (_, n) => n),
      ),
    ).toHaveLength(25);
  });
});

describe("the attributes of a write", () => {
  const cast = (attributes: object, rules: readonly (readonly [string, AttributeRule])[], strictAttributes = false) =>
    castAttributes(
      { ...attributes },
      { attributes: new Map(rules), settings: { ...defaultSettings, strictAttributes } },
    );
  const geo = ["home", { type: "geo" }] as const;

  test("of a geo attribute are taken member by member, where no attribute has that very name", () => {
    const found = cast({ "home.city": "Rome", "home.loc": null, "x.y": 1 }, [geo]);
    expect(found).toMatchObject({ kind: "cast", attributes: { "x.y": 1 } });
    expect(found.kind === "cast" && [...found.geoEdits]).toEqual([["home", { city: "Rome", loc: null }]]);
    const named = cast({ "home.city": "Rome" }, [geo, ["home.city", { type: "string" }]]);
    expect(named).toMatchObject({ attributes: { "home.city": "Rome" } });
  });

  test("of a location are taken part by part, numbers in text too, where no attribute has such a name", () => {
    const found = cast({ "home.loc.lat": "4", "home.loc.lon": 5 }, [geo]);
    expect(found.kind === "cast" && [...found.geoEdits]).toEqual([["home", { "loc.lat": 4, "loc.lon": 5 }]]);
    expect(found).toMatchObject({ attributes: {} });
    for (const wrong of [{ "home.loc.lat": 91 }, { "home.loc.alt": 1 }, { "home.loc.lon": "east" }]) {
      expect(cast(wrong, [geo])).toMatchObject({ kind: "refused", code: "ATTRIBUTE_TYPE_MISMATCH" });
    }
    const own = { "home.loc.lat": "x", "x.loc.lat": 1 };
    expect(cast(own, [geo, ["home.loc", { type: "string" }]])).toMatchObject({ kind: "cast", attributes: own });
  });

  test("of a date are stored in a form that criteria read, whatever form of ISO 8601 they came in", () => {
    const rules = [
      ["d", { type: "date" }],
      ["s", { type: "string", validators: { type: "date" } }],
    ] as const;
    const stored = { d: "2026-01-01", s: "2026-01-01T10:00:00.000Z" };
    expect(cast({ d: "2026-W01-4", s: "20260101T100000Z" }, rules)).toMatchObject({ attributes: stored });
    expect(cast({ d: "2026-01-01 10:00" }, rules)).toMatchObject({ attributes: { d: "2026-01-01 10:00" } });
    expect(cast({ d: "2026-W54-1" }, rules)).toMatchObject({ code: "ATTRIBUTE_TYPE_MISMATCH" });
    expect(cast({ free: "20260101" }, rules)).toMatchObject({ attributes: { free: "20260101" } });
  });

  test("are refused together, each with its own reason", () => {
    const rules = [["n", { type: "number" }], ["s", { type: "string", validators: { max: 1 } }], geo] as const;
    const refused = cast({ n: "x", s: "long", "home.planet": "Mars", free: 1 }, rules);
    expect(refused).toMatchObject({ kind: "refused", code: "ATTRIBUTE_TYPE_MISMATCH" });
    expect(refused.kind === "refused" && refused.reasons.map(({ name }) => name)).toEqual(["n", "s", "home.planet"]);
    expect(cast({ s: "long" }, rules)).toMatchObject({ code: "VALIDATION_ERROR" });
  });

  test("undefined attributes are refused in a strict account; channels do not count as attributes", () => {
    expect(cast({ n: 1, m: 2, channels: {} }, [["n", { type: "auto" }]], true)).toMatchObject({
      code: "UNKNOWN_ATTRIBUTE",
      reasons: [{ name: "m" }],
    });
    expect(cast({ channels: {} }, [], true).kind).toBe("cast");
    // Their values stand nowhere else in a body of /v2.
    expect(cast({ customer_id: "7", email: "a@x.org" }, [], true).kind).toBe("cast");
    expect(cast({ "home.city": "x" }, [geo], true).kind).toBe("cast");
  });
});

describe("any value of any type", () => {
  const json = fc.oneof(
    fc.jsonValue({ maxDepth: 2 }).map(toJson),
    fc.constantFrom<Json>("1", " 1.5e2 ", "TRUE", "0", "2026-02-28", "2026-02-28T10:00", { city: "Rome", state: null }),
    fc.record({ loc: fc.record({ lat: fc.double({ noNaN: true }), lon: fc.integer() }) }),
  );
  const type = fc.constantFrom(...attributeTypes);

  test("a stored value of any type reads back as it was stored, whenever it is read again", () => {
    fc.assert(
      fc.property(type, json, (of, received) => {
        const cast = castAttribute({ type: of }, received, "Europe/Berlin");
        if (cast.kind !== "value") return;
        expect(castAttribute({ type: of }, cast.value, "Europe/Berlin")).toEqual(cast);
      }),
    );
  });

  test("is refused as a whole write, or not at all", () => {
    const rules = new Map(attributeTypes.map((of) => [of, { type: of }] as const));
    fc.assert(
      fc.property(fc.dictionary(type, json), (attributes) => {
        const account = { attributes: rules, settings: defaultSettings };
        const cast = castAttributes(attributes, account);
        const wrong = Object.entries(attributes).filter(([name, given]) => {
          const rule = rules.get(attributeTypes.find((of) => of === name) ?? "string");
          return rule !== undefined && castAttribute(rule, given, "UTC").kind !== "value";
        });
        expect(cast.kind).toBe(wrong.length > 0 ? "refused" : "cast");
      }),
    );
  });
});

test("a long text of digits or of dots is looked at once, not once for each of its characters", () => {
  // A pattern that goes back for each character takes minutes for this, and the test its end.
  const long = 400_000;
  expect(read({ type: "number" }, `${"1".repeat(long)}x`)).toBe("mismatch");
  expect(read({ type: "string", validators: { type: "email", max: long * 2 } }, `a@${".".repeat(long)}@`)).toBe(
    "invalid",
  );
});

test("characters are counted as a reader counts them", () => {
  const rule = { type: "string", validators: { max: 3 } } as const;
  expect(read(rule, "👍👍👍")).toBe("👍👍👍");
  expect(read(rule, "👍👍👍👍")).toBe("invalid");
});

test("an array keeps no more items than its definition allows, however it is written", () => {
  expect(arrayItemsMax({ type: "array" })).toBe(25);
  expect(arrayItemsMax({ type: "array", maxItems: 40, validators: { max: 3 } })).toBe(3);
  expect(arrayItemsMax({ type: "auto" })).toBeUndefined();
});
