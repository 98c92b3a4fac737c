import { gzipSync } from "node:zlib";
import fc from "fast-check";

/** Values that senders send by mistake or on purpose. */
const JUNK: readonly unknown[] = [
  null,
  true,
  -1,
  0,
  1e308,
  2 ** 53 + 2,
  0.1 + 0.2,
  "",
  " ",
  "\u0000",
  "\ud800",
  "\u202e🧨",
  "NaN",
  "2026-02-30",
  "9999-99-99T99:99:99Z",
  "x".repeat(1_100),
  "x".repeat(70_000),
  [],
  {},
  [[[[[[[[]]]]]]]],
  JSON.parse('{"__proto__":{"admin":true}}'),
  JSON.parse('{"constructor":{"prototype":{}}}'),
  JSON.parse(`${"[".repeat(200)}${"]".repeat(200)}`),
];

const WAYS = ["drop", "replace", "double", "add", "wrap"] as const;

export interface Mutation {
  readonly where: number;
  readonly way: (typeof WAYS)[number];
  readonly junk: unknown;
  readonly name: string;
}

export const mutation: fc.Arbitrary<Mutation> = fc.record({
  where: fc.nat(),
  way: fc.constantFrom(...WAYS),
  junk: fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...JUNK) },
    { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }) },
  ),
  name: fc.oneof(fc.constantFrom("__proto__", "toString", "", "identifier"), fc.string({ maxLength: 10 })),
});

/** The value with one position changed; positions are counted from the top, deep. */
export function mutate(value: unknown, { where, ...how }: Mutation): unknown {
  let left = where % countPositions(value);
  const visit = (current: unknown): unknown => {
    if (left-- === 0) return changed(current, how);
    if (Array.isArray(current)) return current.map(visit).filter((item) => item !== undefined);
    if (typeof current !== "object" || current === null) return current;
    return fromMembers(Object.entries(current).map(([name, member]) => [name, visit(member)]));
  };
  return visit(value) ?? null;
}

function countPositions(value: unknown): number {
  if (typeof value !== "object" || value === null) return 1;
  return Object.values(value).reduce<number>((sum, member) => sum + countPositions(member), 1);
}

/** `__proto__` becomes a member like any other. */
function fromMembers(members: readonly (readonly [string, unknown])[]): object {
  const result = {};
  for (const [key, value] of members) {
    Object.defineProperty(result, key, { value, enumerable: true, configurable: true, writable: true });
  }
  return result;
}

/** @returns undefined when the position is dropped. */
function changed(value: unknown, { way, junk, name }: Omit<Mutation, "where">): unknown {
  switch (way) {
    case "drop":
      return undefined;
    case "replace":
      return junk;
    case "wrap":
      return [value];
    case "double":
      return Array.isArray(value) ? [...value, ...value] : { value, again: value };
    case "add":
      if (typeof value !== "object" || value === null || Array.isArray(value)) return { [name]: junk };
      return fromMembers([...Object.entries(value), [name, junk]]);
  }
}

/** A request's bytes and headers, spoilt below the level of JSON. */
export interface Spoilt {
  readonly bytes: Buffer;
  readonly headers: Readonly<Record<string, string>>;
  /** The bytes are still the text that was meant, sent another way: the answer must be the same. */
  readonly isWhole: boolean;
}

export interface Spoiling {
  readonly at: number;
  readonly byte: number;
  readonly way:
    | "cut"
    | "flip"
    | "insert"
    | "twice"
    | "empty"
    | "type"
    | "gzip"
    | "noGzip"
    | "encoding"
    | "key"
    | "noKey";
}

export const spoiling: fc.Arbitrary<Spoiling> = fc.record({
  at: fc.nat(),
  byte: fc.integer({ min: 0, max: 255 }),
  way: fc.constantFrom(
    ...(["cut", "flip", "insert", "twice", "empty", "type", "gzip", "noGzip", "encoding", "key", "noKey"] as const),
  ),
});

export function spoil(bytes: Buffer, { at, byte, way }: Spoiling): Spoilt {
  const position = at % Math.max(1, bytes.length);
  const one = Buffer.from([byte]);
  const spoilt = (changed: Buffer, headers = {}) => ({ bytes: changed, headers, isWhole: false });
  switch (way) {
    case "cut":
      return spoilt(bytes.subarray(0, position));
    case "flip":
      return spoilt(Buffer.concat([bytes.subarray(0, position), one, bytes.subarray(position + 1)]));
    case "insert":
      return spoilt(Buffer.concat([bytes.subarray(0, position), one, bytes.subarray(position)]));
    case "twice":
      return spoilt(Buffer.concat([bytes, bytes]));
    case "empty":
      return spoilt(Buffer.alloc(0));
    case "type":
      return spoilt(bytes, { "content-type": "text/csv" });
    case "gzip":
      return { bytes: gzipSync(bytes), headers: { "content-encoding": "gzip" }, isWhole: true };
    case "noGzip":
      return spoilt(bytes, { "content-encoding": "gzip" });
    case "encoding":
      return spoilt(bytes, { "content-encoding": "zip" });
    case "key":
      return spoilt(bytes, { "x-api-key": "nobody", "sync-hash": "ts:1,hmac:00", "x-subscription-hmac-sha256": "00" });
    case "noKey":
      return spoilt(bytes, { "x-api-key": "", "sync-hash": "", "x-subscription-hmac-sha256": "" });
  }
}
