import { type Account, defaultSettings } from "@headwater/contracts";
import { safeParse } from "@headwater/kernel";
import fc from "fast-check";
import { expect, test } from "vitest";
import { z } from "zod";
import type { Operation } from "./operation.ts";
import { operations } from "./registry.ts";
import { compiledShape, validateItem } from "./validateItem.ts";

const RUNS = Number(process.env.VALIDATION_RUNS ?? 600);
const account: Account = { number: 1, id: "a".repeat(24), name: "test", settings: defaultSettings };
const context = { nowMs: Date.parse("2026-01-10T00:00:00Z"), scopes: [] };
const all: readonly Operation[] = operations;

const texts = fc.oneof(
  fc.string({ unit: "binary", maxLength: 5 }),
  fc.constantFrom("2026-01-09T22:47:12Z", "2026-02-30", "129.50", "1e400", "12345678901234567890", "EUR", "eur"),
  fc.constantFrom("pending", "subscribed", "Mobile", "fixed", "number", "cid", "vip-list", "vip list", " "),
  fc
    .tuple(fc.constantFrom("x", "é", "😀"), fc.constantFrom(20, 40, 41, 64, 128, 256, 512, 513, 1024))
    .map(([one, times]) => one.repeat(times)),
);
const numbers = fc.oneof(
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(0, -0, 1, 1.5, 90, 91, 180, 181, 2 ** 31, 2 ** 53, -(2 ** 53), 1e14),
);
const leaves = fc.oneof(texts, numbers, fc.boolean(), fc.constant(null), fc.constant({}), fc.constant([]));
const names = fc.oneof(
  fc.constantFrom(
    "email",
    "channels",
    "sms",
    "address",
    "subscribeStatus",
    "subscribedAt",
    "time",
    "qty",
    "sku",
    "geo",
    "id",
  ),
  fc.constantFrom("__proto__", "constructor", "toString", "length", ""),
  texts,
);
const { value: values } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    leaves,
    fc.array(tie("value"), { maxLength: 4 }),
    fc.array(fc.tuple(names, tie("value")), { maxLength: 4 }).map(objectOf),
  ),
}));

interface Mutation {
  readonly kind: "replace" | "remove" | "add" | "repeat";
  /** Chooses one of the item's paths. */
  readonly at: number;
  readonly name: string;
  /** JSON text: each use of it is a value of its own. */
  readonly value: string;
}
const mutation: fc.Arbitrary<Mutation> = fc.record({
  kind: fc.constantFrom("replace", "remove", "add", "repeat"),
  at: fc.nat(),
  name: names,
  value: values.map((value) => JSON.stringify(value)),
});

test.each(all.map((operation) => [operation.name, operation] as const))(
  "an item of %s is accepted or refused and never throws, and its compiled shape says what the shape says",
  (_name, operation) => {
    const { body, sample } = operation;
    const fast = compiledShape(body);
    let [passed, failed] = [0, 0];
    fc.assert(
      fc.property(fc.array(mutation, { maxLength: 3 }), (mutations) => {
        const item = mutations.reduce(mutate, JSON.parse(JSON.stringify(sample)));
        const [quick, slow] = [safeParse(fast, item), safeParse(body, item)];
        if (quick.success) passed += 1;
        else failed += 1;
        expect(quick.data).toEqual(slow.data);
        expect(quick.error?.issues).toEqual(slow.error?.issues);
        expect(["accepted", "rejected"]).toContain(validateItem(operation, account, item, context).kind);
      }),
      { numRuns: RUNS },
    );
    expect(passed).toBeGreaterThan(50);
    expect(failed).toBeGreaterThan(50);
  },
);

test("a shape is compiled once", () => {
  const shape = z.strictObject({ a: z.number().int() });
  expect(compiledShape(shape)).toBe(compiledShape(shape));
  expect(compiledShape(shape)).not.toBe(shape);
});

/** Builds an object whose names are all its own, as JSON.parse does. */
function objectOf(entries: readonly (readonly [string, unknown])[]): object {
  return JSON.parse(
    `{${entries.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join(",")}}`,
  );
}

/** Containers of an item, itself included. */
function containersOf(item: unknown): object[] {
  if (typeof item !== "object" || item === null) return [];
  return [item, ...Object.values(item).flatMap(containersOf)];
}

function mutate(item: unknown, { kind, at, name, value: text }: Mutation): unknown {
  const value: unknown = JSON.parse(text);
  const containers = containersOf(item);
  const target = containers[at % containers.length];
  if (target === undefined) return value;
  const keys = Object.keys(target);
  const key = keys[at % keys.length];
  if (kind === "add") define(target, Array.isArray(target) ? String(target.length) : name, value);
  else if (kind === "repeat" && Array.isArray(target)) target.push(...Array(at % 700).fill(target[0]));
  else if (key !== undefined && kind === "remove" && !Array.isArray(target)) Reflect.deleteProperty(target, key);
  else if (key !== undefined) define(target, key, value);
  return item;
}

function define(target: object, name: string, value: unknown): void {
  Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true });
}
