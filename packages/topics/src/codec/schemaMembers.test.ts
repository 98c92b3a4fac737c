import { expect, test } from "vitest";
import { fingerprintOf, knownMembersOf } from "./schemaMembers.ts";

const isAheadOf = (foreign: object, known: object) => knownMembersOf({ ...known }).isBehind({ ...foreign });
const text = { type: "string" };
const object = (properties: object) => ({ type: "object", additionalProperties: false, properties });
const list = (items: object) => ({ type: "array", items });
const line = object({ sku: text });
const shape = { id: text, lines: list(line), free: { type: "object", additionalProperties: {} } };
const ours = object(shape);

test("a schema with a member that ours does not name is ahead, at any depth", () => {
  expect(isAheadOf(object({ ...shape, more: text }), ours)).toBe(true);
  expect(isAheadOf(object({ ...shape, lines: list(object({ sku: text, colour: text })) }), ours)).toBe(true);
  const either = { anyOf: [line, object({ sku: text, size: text })] };
  expect(isAheadOf(object({ ...shape, lines: list(either) }), ours)).toBe(true);
});

test("an older schema is not ahead, nor is one that names members of what ours leaves open", () => {
  expect(isAheadOf(object({ id: text }), ours)).toBe(false);
  expect(isAheadOf(ours, ours)).toBe(false);
  expect(isAheadOf(object({ free: object({ colour: text }) }), ours)).toBe(false);
});

test("a schema that names itself ends", () => {
  const tree = { $ref: "#/$defs/tree", $defs: { tree: object({ below: list({ $ref: "#/$defs/tree" }) }) } };
  expect(isAheadOf(tree, tree)).toBe(false);
});

test("a fingerprint depends on content and not on the order of members", () => {
  expect(fingerprintOf({ a: 1, b: [1, { c: 2, d: 3 }] })).toBe(fingerprintOf({ b: [1, { d: 3, c: 2 }], a: 1 }));
  expect(fingerprintOf({ a: [1, 2] })).not.toBe(fingerprintOf({ a: [2, 1] }));
  expect(fingerprintOf({})).toMatch(/^[0-9a-f]{12}$/);
});

test("a value with a member that ours does not name would lose it, unless ours leaves the place open", () => {
  const { wouldDrop } = knownMembersOf(ours);
  expect(wouldDrop({ id: "a", lines: [{ sku: "s" }], free: { any: { thing: [1, { x: 2 }] } } })).toBe(false);
  expect(wouldDrop({ id: "a", more: 1 })).toBe(true);
  expect(wouldDrop({ id: "a", lines: [{ sku: "s" }, { sku: "s", colour: "red" }] })).toBe(true);
});

test("a value without what ours requires is of another kind and not newer, so that it is found to be poison", () => {
  const needs = { ...object(shape), required: ["id", "lines"] };
  const { wouldDrop } = knownMembersOf({
    ...needs,
    properties: { ...shape, lines: list({ ...line, required: ["sku"] }) },
  });
  expect(wouldDrop({ account: "a", records: [] })).toBe(false);
  expect(wouldDrop({ id: "a", lines: [{ orderId: 5 }] })).toBe(false);
  expect(wouldDrop({ id: "a", lines: [], more: 1 })).toBe(true);
  expect(wouldDrop({ id: "a", lines: [{ sku: "s", colour: "red" }] })).toBe(true);
});
