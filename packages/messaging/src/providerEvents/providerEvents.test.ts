import { providerEventMembers } from "@headwater/contracts";
import { describe, expect, test } from "vitest";
import { type JSONValue, parseExpression } from "./expressions.ts";
import { checkExpressions, createEventReader } from "./readProviderEvents.ts";

const search = (text: string, value: JSONValue) => {
  const parsed = parseExpression(text);
  return "problem" in parsed ? parsed.problem : parsed.search(value);
};

describe("an expression", () => {
  const value = { a: { b: [{ c: "x" }, { c: "y" }] }, n: 7, t: "Text", no: null };
  test.each([
    ["a.b[1].c", "y"],
    ["a.b[?c == 'x'].c | [0]", "x"],
    ["not_null(no, t)", "Text"],
    ["lower(t)", "text"],
    ["n > `5` && t || 'low'", "Text"],
    ["a.b[*].c", ["x", "y"]],
    ["missing.b", null],
    ["lower(n)", undefined],
  ])("written %s gives %j", (text, expected) => {
    expect(search(text, value)).toEqual(expected);
  });

  test.each([
    ["a[", /is not JMESPath/],
    ["(".repeat(1_024), /is not JMESPath/],
    ["nosuch(@)", /calls nosuch/],
    ["join('-', a)", /calls join/],
    ["pad_left(t, `100000000`)", /calls pad_left/],
    ["map(&a, @)", /not allowed/],
    ["let $a = b in $a", /not allowed/],
    ["[@, @]", /MultiSelectList/],
    ["{a: @}", /MultiSelectHash/],
    ["a + b", /Arithmetic/],
    ["$.a", /Root/],
    ["__proto__.x", /__proto__/],
    ["constructor", /constructor/],
    ["a[*][*][*]", /projections/],
    ["lower(lower(lower(lower(lower(lower(t))))))", /too many parts/],
    [`a${".a".repeat(40)}`, /too many parts/],
  ])("written %s is refused", (text, problem) => {
    expect(search(text, {})).toMatch(problem);
  });
});

describe("a mapping", () => {
  test("says what is wrong with each of its expressions", () => {
    const problems = checkExpressions([
      { path: "/list", text: "a[" },
      { path: "/map/type", text: "t" },
      { path: "/map/mcID", text: "nosuch(@)" },
      { path: "/map/deep", text: "[".repeat(1_024) },
    ]);
    expect(problems.map(({ path }) => path)).toEqual(["/list", "/map/mcID", "/map/deep"]);
  });

  test("reads events of a list, under our types and theirs, and leaves others out", () => {
    const read = createEventReader({
      list: "data.events",
      map: { type: "event", mcID: "metadata.mcID", at: "timestamp", code: "response.code" },
      types: { Delivery: "none", HardBounce: "hard-bounce" },
    });
    const event = (name: string) => ({
      event: name,
      metadata: { mcID: "a:m:b:c:1" },
      timestamp: 1,
      response: { code: 550 },
    });
    const events = ["HardBounce", "Delivery", "open", "Unknown", "none", "constructor"].map(event);
    const found = read({ data: { events } }, 10);
    expect(found?.map(({ raw, ...members }) => members)).toEqual([
      { type: "hard-bounce", mcID: "a:m:b:c:1", at: "1", code: "550" },
      { type: "open", mcID: "a:m:b:c:1", at: "1", code: "550" },
    ]);
    expect(read({ data: { events } }, 5)).toBeUndefined();
    expect([read({}, 5), read("x", 5), read([], 5), read({ data: 7 }, 5)]).toEqual([[], [], [], []]);
  });

  test("takes the body as the event, or as the list of them, where it names no list", () => {
    const read = createEventReader({ map: { type: "t" } });
    expect(read({ t: "open" }, 5)).toMatchObject([{ type: "open" }]);
    expect(read([{ t: "open" }, { t: "click" }], 5)).toMatchObject([{ type: "open" }, { type: "click" }]);
  });

  test("is bounded on the largest bodies, with the dearest expressions in all its members", () => {
    const dear = "a[?lower(b) == c][?b == c].b | [0]";
    const map = { type: "t", ...Object.fromEntries(Object.keys(providerEventMembers).map((name) => [name, dear])) };
    const read = createEventReader({ map });
    const big = "x".repeat(250_000);
    const many = Array.from({ length: 10_000 }, (_, index) => ({ b: `b${index}`, c: `b${index}` }));
    for (const body of [{ a: [{ b: big, c: big }] }, { a: many }]) expect(read(body, 1)).toEqual([]);
  });
});
