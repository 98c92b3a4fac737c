import { expect, test } from "vitest";
import { z } from "zod";
import { fingerprintOf, knownMembersOf } from "./schemaMembers.ts";

const isAheadOf = (foreign: object, known: object) => knownMembersOf({ ...known }).isBehind({ ...foreign });
const schemaOf = (schema: z.ZodType) => ({ ...z.toJSONSchema(schema, { io: "input" }) });
const line = z.strictObject({ sku: z.string() });
const ours = schemaOf(
  z.strictObject({ id: z.string(), lines: z.array(line), free: z.record(z.string(), z.unknown()) }),
);

test("a schema with a member that ours does not name is ahead, at any depth", () => {
  const shape = { id: z.string(), lines: z.array(line), free: z.record(z.string(), z.unknown()) };
  expect(isAheadOf(schemaOf(z.strictObject({ ...shape, more: z.number().optional() })), ours)).toBe(true);
  const wider = z.array(z.strictObject({ sku: z.string(), colour: z.string().optional() }));
  expect(isAheadOf(schemaOf(z.strictObject({ ...shape, lines: wider })), ours)).toBe(true);
  const either = z.union([line, z.strictObject({ sku: z.string(), size: z.string() })]);
  expect(isAheadOf(schemaOf(z.strictObject({ ...shape, lines: z.array(either) })), ours)).toBe(true);
});

test("an older schema is not ahead, nor is one that names members of what ours leaves open", () => {
  expect(isAheadOf(schemaOf(z.strictObject({ id: z.string() })), ours)).toBe(false);
  expect(isAheadOf(ours, ours)).toBe(false);
  const named = z.strictObject({ free: z.strictObject({ colour: z.string() }) });
  expect(isAheadOf(schemaOf(named), ours)).toBe(false);
});

test("a schema that names itself ends", () => {
  interface Tree {
    readonly below?: readonly Tree[] | undefined;
  }
  const tree: z.ZodType<Tree> = z.lazy(() => z.strictObject({ below: z.array(tree).optional() }));
  expect(isAheadOf(schemaOf(tree), schemaOf(tree))).toBe(false);
});

test("a fingerprint tells content and not the order of members", () => {
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
