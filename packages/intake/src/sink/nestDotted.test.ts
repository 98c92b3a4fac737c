import fc from "fast-check";
import { expect, test } from "vitest";
import { nestDotted } from "./nestDotted.ts";

/** The row's text, read again: what a reader of the store sees. */
const view = (properties: Record<string, unknown>) => JSON.stringify(nestDotted(properties));

test("dotted keys are nested, keys of digits are kept", () => {
  expect(nestDotted({ "a.b": 1, "a.c": 2, "7": "x" })).toEqual({ a: { b: 1, c: 2 }, "7": "x" });
});

test("dotted keys of inner objects are nested, as deep as properties may be", () => {
  expect(view({ x: { "y.z": 1 } })).toBe('{"x":{"y":{"z":1}}}');
  expect(view({ "v.w": { "y.z": 1 }, x: { y: 1, "y.z": 2 } })).toBe('{"x":{"y":1,"y.z":2},"v":{"w":{"y":{"z":1}}}}');
  expect(view({ a: { b: { c: { d: { "e.f": 1 } } } } })).toBe('{"a":{"b":{"c":{"d":{"e.f":1}}}}}');
  const untouched = { x: { y: [{ "a.b": 1 }] } };
  expect(nestDotted(untouched)).toBe(untouched);
});

test("a dotted key that something stands in the way of stays as it came", () => {
  expect(nestDotted({ a: 1, "a.b": 2 })).toEqual({ a: 1, "a.b": 2 });
  expect(view({ "a.b": 1, "a.b.c.d": 2 })).toBe('{"a":{"b":1},"a.b.c.d":2}');
});

test("names of the prototype are names like any other", () => {
  const nested = nestDotted({ "constructor.name": 1, plain: 2 });
  expect(nested).toEqual({ constructor: { name: 1 }, plain: 2 });
});

test.each([
  [{ "a.__proto__.b": 1 }, '{"a":{"__proto__":{"b":1}}}'],
  [{ "__proto__.polluted": 1 }, '{"__proto__":{"polluted":1}}'],
  [{ "a.__proto__": 1 }, '{"a":{"__proto__":1}}'],
  [{ a: { x: 1 }, "a.__proto__.b": 2 }, '{"a":{"x":1,"__proto__":{"b":2}}}'],
  [{ "toString.call": 1, "constructor.prototype.x": 2 }, '{"toString":{"call":1},"constructor":{"prototype":{"x":2}}}'],
])("%j is kept as %s and changes no prototype", (properties, text) => {
  expect(view(properties)).toBe(text);
  expect(Reflect.get({}, "polluted")).toBeUndefined();
  expect(Reflect.get({}, "b")).toBeUndefined();
  expect(Reflect.get({}, "x")).toBeUndefined();
});

test("a name of more parts than properties may nest stays flat, however long it is", () => {
  expect(view({ "a.b.c.d.e": 1 })).toBe('{"a":{"b":{"c":{"d":{"e":1}}}}}');
  expect(view({ "a.b.c.d.e.f": 1 })).toBe('{"a.b.c.d.e.f":1}');
  const name = "0.".repeat(100_000);
  expect(view({ [name]: 1 })).toBe(JSON.stringify({ [name]: 1 }));
});

test("a record read again gives the same row: what came is not changed", () => {
  const properties = { a: { x: 1 }, "a.b": 2 };
  expect(view(properties)).toBe('{"a":{"x":1,"b":2}}');
  expect(properties).toEqual({ a: { x: 1 }, "a.b": 2 });
  expect(view(properties)).toBe('{"a":{"x":1,"b":2}}');
});

test("no value is lost, whatever the names", () => {
  const part = fc.constantFrom("a", "b", "__proto__", "constructor", "", "7");
  const name = fc.array(part, { minLength: 1, maxLength: 8 }).map((parts) => parts.join("."));
  fc.assert(
    fc.property(fc.uniqueArray(name, { maxLength: 12 }), fc.nat(3), (names, wrapped) => {
      const members = names.map((own, index) => [own, `value ${index}`] as const);
      let properties: Record<string, unknown> = Object.fromEntries(members);
      for (let level = 0; level < wrapped; level += 1) properties = { x: properties };
      const nested: unknown = JSON.parse(view(properties));
      expect(leavesOf(nested).toSorted()).toEqual(members.map(([, value]) => value).toSorted());
    }),
  );
});

function leavesOf(value: unknown): unknown[] {
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(leavesOf) : [value];
}
