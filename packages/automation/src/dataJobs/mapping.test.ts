import type { JSONValue } from "@headwater/messaging/providerEvents/expressions";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compileMapping } from "./compileMapping.ts";
import { type Mapping, mappingShape } from "./mapping.ts";

function records(mapping: Mapping, body: JSONValue): unknown[] {
  const compiled = compileMapping(mapping);
  if ("problems" in compiled) throw new Error(JSON.stringify(compiled.problems));
  return [...compiled.records(body)].map((record) => record && JSON.parse(record));
}

function problems(mapping: unknown): string[] {
  const compiled = compileMapping(mappingShape.parse(mapping));
  return "problems" in compiled ? compiled.problems.map(({ path, message }) => `${path} ${message}`) : [];
}

const order = {
  shop: "north",
  customer: { mail: "ada@example.com" },
  lines: [
    { sku: "a", qty: 2, state: "ok" },
    { sku: "b", qty: 0, state: "gone" },
    { sku: "c", qty: 1, state: "new" },
  ],
};

describe("a mapping", () => {
  test("makes a record of each element that passes, and reads the body by $", () => {
    const mapping = {
      each: "=lines",
      when: "=qty > `0`",
      to: {
        id: "=sku",
        shop: "=$.shop",
        "contact.identifiers.email": "=$.customer.mail",
        state: { value: "=state", map: { ok: "ready" }, default: "unknown" },
        fixed: 7,
      },
    };
    const contact = { identifiers: { email: "ada@example.com" } };
    expect(records(mapping, order)).toEqual([
      { id: "a", shop: "north", contact, state: "ready", fixed: 7 },
      { id: "c", shop: "north", contact, state: "unknown", fixed: 7 },
    ]);
  });

  test("begins at the body where it has no `each`, and several mappings make their records in order", () => {
    const mapping = [{ to: { a: "=shop" } }, { each: "=lines", to: { a: "=sku" } }];
    expect(records(mapping, order)).toEqual([{ a: "north" }, { a: "a" }, { a: "b" }, { a: "c" }]);
    expect(records({ each: "=customer", to: { a: "=mail" } }, order)).toEqual([{ a: "ada@example.com" }]);
    expect(records({ each: "=nothing", to: { a: "=mail" } }, order)).toEqual([]);
  });

  test("leaves out members that say nothing, and writes a null that is a constant", () => {
    const to = { a: "=nothing", "b.c": "=nothing", d: null, e: { value: "=nothing", default: 1 }, f: "" };
    expect(records({ to }, order)).toEqual([{ d: null, e: 1, f: "" }]);
  });

  test("takes == for a literal =, and an = within a list for an expression", () => {
    const to = { a: "==shop", b: ["=shop", "==x", 1, "=nothing"] };
    expect(records({ to }, order)).toEqual([{ a: "=shop", b: ["north", "=x", 1, null] }]);
  });

  test("writes lists by index, and names with dots in quotes", () => {
    const to = {
      "events[0].name": "bought",
      "events[1].name": "=nothing",
      "events[1].time": "=shop",
      'identifiers."channels.sms.address"': "+1",
    };
    expect(records({ to }, order)).toEqual([
      { events: [{ name: "bought" }, { time: "north" }], identifiers: { "channels.sms.address": "+1" } },
    ]);
  });

  test("may shape objects and lists by one expression", () => {
    const to = { items: "=lines[?qty > `0`].{sku: sku, n: qty}", total: "=sum(lines[].qty)", names: "=keys(customer)" };
    expect(records({ to }, order)).toEqual([
      {
        items: [
          { sku: "a", n: 2 },
          { sku: "c", n: 1 },
        ],
        total: 3,
        names: ["mail"],
      },
    ]);
  });

  test("makes nothing of a record that is too large", () => {
    expect(records({ to: { a: "=text" } }, { text: "x".repeat(300_000) })).toEqual([undefined]);
    const doubled = `=[@, @]${" | [@, @]".repeat(40)}`;
    expect(records({ to: { a: doubled } }, order)).toEqual([undefined]);
  });

  test.each([
    [{ to: { a: "=b[" } }, /^\/to\/a The expression is not JMESPath/],
    [{ to: { a: "=nosuch(@)" } }, /calls nosuch/],
    [{ to: { a: "=pad_left(b, `100000000`)" } }, /calls pad_left/],
    [{ to: { a: `=${"a".repeat(1_025)}` } }, /more than 1024 characters/],
    [{ to: { a: `=${"!".repeat(70)}b` } }, /over 64 levels/],
    [{ each: "lines", to: { a: 1 } }, /^\/each An expression begins with/],
    [{ to: { a: 1, "a.b": 2 } }, /^\/to\/a\.b The path is in the way/],
    [{ to: { "a[0]": 1, "a.b": 2 } }, /in the way/],
    [{ to: { "a[1]": 1 } }, /^\/to The list a leaves out an index/],
    [{ to: { "a..b": 1 } }, /^\/to\/a\.\.b The path/],
    [{ to: { "[0]": 1 } }, /The path/],
    [{ to: { __proto__x: 1, '"__proto__".a': 1 } }, /__proto__/],
    [[{ to: { a: 1 } }, { to: { a: { value: "=b[" } } }], /^\/1\/to\/a\/value/],
  ])("%j is refused where it is written", (mapping, problem) => {
    expect(problems(mapping).join("\n")).toMatch(problem);
  });

  test("over 64 KiB is refused", () => {
    const members = Array.from({ length: 100 }, (_, index) => [`m${index}`, "x".repeat(1_000)]);
    expect(problems({ to: Object.fromEntries(members) }).join()).toMatch(/65536 bytes/);
  });
});

describe("laws", () => {
  const json = fc.jsonValue({ maxDepth: 3 }).map((value): JSONValue => JSON.parse(JSON.stringify(value)));

  test("a constant comes out as it is", () => {
    const constants = fc.oneof(fc.integer(), fc.boolean(), fc.string());
    fc.assert(
      fc.property(constants, json, (constant, body) => {
        const written = typeof constant === "string" && constant.startsWith("=") ? `=${constant}` : constant;
        expect(records({ to: { a: written } }, body)).toEqual([{ a: constant }]);
      }),
    );
  });

  test("an array of mappings makes what each of them makes, one after the other", () => {
    const parts: Mapping[] = [{ to: { a: "=@" } }, { each: "=@", to: { b: "=@" } }, { when: "=@", to: { c: "=$" } }];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...parts), { minLength: 1, maxLength: 5 }), json, (chosen, body) => {
        expect(records(chosen.flat(), body)).toEqual(chosen.flatMap((one) => records(one, body)));
      }),
    );
  });

  test("a body is mapped alike whatever was mapped before it, and is not changed", () => {
    const mapping = { each: "=@", to: { a: "=@", b: "=sort_by(@, &to_string(@))", c: "=$" } };
    fc.assert(
      fc.property(json, json, (body, before) => {
        const copy = structuredClone(body);
        const alone = records(mapping, body);
        records(mapping, before);
        expect(records(mapping, body)).toEqual(alone);
        expect(body).toEqual(copy);
      }),
    );
  });
});
