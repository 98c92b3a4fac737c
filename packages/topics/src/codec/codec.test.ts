import { createLogger, HeadwaterError } from "@headwater/kernel";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type CodecOptions, createCodec, frameText, readHead, textOf, toWire } from "./codec.ts";
import type { RegistryClient } from "./registryClient.ts";
import type { JsonSchemaDocument } from "./schemaMembers.ts";

const logger = createLogger({ name: "test", level: "silent" });

/** A registry in memory; `away` makes every call fail. */
function memoryRegistry() {
  const subjects: string[] = [];
  const documents = new Map<number, JsonSchemaDocument>();
  const registry: RegistryClient & {
    isAway: boolean;
    lookUps: number;
    refusal: Error | undefined;
    /** Gives every id one meaning, as a registry that is restored from another copy does. */
    restore(subject: string, schema: JsonSchemaDocument): void;
  } = {
    isAway: false,
    lookUps: 0,
    refusal: undefined,
    async register(subject, schema) {
      if (registry.isAway) throw new Error("connect ECONNREFUSED");
      if (registry.refusal !== undefined) throw registry.refusal;
      if (!subjects.includes(subject)) subjects.push(subject);
      documents.set(subjects.indexOf(subject) + 1, schema);
      return subjects.indexOf(subject) + 1;
    },
    restore(subject, schema) {
      for (const [index] of subjects.entries()) {
        subjects[index] = subject;
        documents.set(index + 1, schema);
      }
    },
    async lookUp(schemaId) {
      registry.lookUps += 1;
      if (registry.isAway) throw new Error("connect ECONNREFUSED");
      const subject = subjects[schemaId - 1];
      if (subject === undefined) return { kind: "unknown", reason: "not known" };
      return { kind: "subject", subject, schema: documents.get(schemaId) ?? {} };
    },
  };
  return registry;
}

function codecWith(registry: RegistryClient, options: Partial<CodecOptions> = {}) {
  return createCodec({ registryUrl: "unused", schemas: { a: {}, b: {} }, logger, registry, ...options });
}

test("a frame is the five bytes of the registry and its records' texts as they were given", async () => {
  const codec = codecWith(memoryRegistry());
  await codec.ready();
  const frame = codec.frame("b", "abc", ['{"id":"1"}', '{"id":"é"}']);
  expect([...frame.subarray(0, 5)]).toEqual([0, 0, 0, 0, 2]);
  expect(frame.toString("utf8", 5)).toMatch(
    /^{"schema":"b@[0-9a-f]{12}","account":"abc","records":\[{"id":"1"},{"id":"é"}\]}$/,
  );
});

test("what is encoded is decoded to the same value and subject", async () => {
  const codec = codecWith(memoryRegistry());
  await codec.ready();
  await fc.assert(
    fc.asyncProperty(fc.jsonValue(), async (value) => {
      const decoded = await codec.decode(codec.encode("a", value));
      const expected: unknown = JSON.parse(JSON.stringify(value));
      expect(decoded).toEqual({ kind: "decoded", subject: "a", value: expected });
    }),
  );
});

test("nothing is written before the registry answered, and that is a 503 that may be retried", () => {
  const codec = codecWith(memoryRegistry());
  expect(codec.isReady()).toBe(false);
  expect(() => codec.frame("a", "abc", [])).toThrow(expect.objectContaining({ status: 503, retriable: true }));
});

test("a subject without a schema is a bug", async () => {
  const codec = codecWith(memoryRegistry());
  await codec.ready();
  expect(() => codec.encode("c", {})).toThrow("no schema was given for the subject c");
});

test("a registry that is away at the start is tried again until it is there", async () => {
  const registry = memoryRegistry();
  registry.isAway = true;
  const codec = codecWith(registry);
  const ready = codec.ready();
  setTimeout(() => {
    registry.isAway = false;
  }, 20);
  await ready;
  expect(codec.isReady()).toBe(true);
});

test("waiting for the registry ends when it is aborted", async () => {
  const registry = memoryRegistry();
  registry.isAway = true;
  await expect(codecWith(registry).ready(AbortSignal.timeout(20))).rejects.toThrow("timeout");
});

test("a schema the registry refuses ends the start at once, in plain words", async () => {
  const registry = memoryRegistry();
  registry.refusal = Object.assign(new Error("required member added"), { status: 409 });
  const refusal = await codecWith(registry)
    .ready()
    .catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(HeadwaterError);
  expect(refusal).toMatchObject({ code: "SCHEMA_REFUSED", retriable: false });
  expect(String(refusal)).toContain("rejected the schema of a: required member added");
});

test("two processes that register the same subject at once both start", async () => {
  const registry = memoryRegistry();
  registry.refusal = Object.assign(new Error("A rule named 'COMPATIBILITY' already exists."), { status: 409 });
  const codec = codecWith(registry);
  const ready = codec.ready();
  await Promise.resolve();
  registry.refusal = undefined;
  await ready;
  expect(codec.isReady()).toBe(true);
});

test("once the ids are known the registry may be away", async () => {
  const registry = memoryRegistry();
  const codec = codecWith(registry);
  await codec.ready();
  registry.isAway = true;
  const decoded = codec.decode(codec.encode("a", { x: 1 }));
  expect(decoded).toEqual({ kind: "decoded", subject: "a", value: { x: 1 } });
});

test("a reader looks an id up once", async () => {
  const registry = memoryRegistry();
  const writer = codecWith(registry);
  await writer.ready();
  const reader = codecWith(registry, { schemas: {} });
  const value = writer.encode("b", [1]);
  expect(await reader.decode(value)).toEqual({ kind: "decoded", subject: "b", value: [1] });
  expect(reader.decode(value)).toEqual({ kind: "decoded", subject: "b", value: [1] });
  expect(registry.lookUps).toBe(1);
});

test("an id nobody knows is undecodable after one look-up", async () => {
  const registry = memoryRegistry();
  const codec = codecWith(registry);
  const stray = toWire(77, "{}");
  expect(await codec.decode(stray)).toEqual({ kind: "undecodable", reason: "schema id 77: not known" });
  await codec.decode(stray);
  expect(registry.lookUps).toBe(1);
});

test("a registry that is away while an id is unknown is an error to retry, never an undecodable record", async () => {
  const registry = memoryRegistry();
  registry.isAway = true;
  const decoded = codecWith(registry).decode(toWire(1, "{}"));
  await expect(decoded).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE", retriable: true });
});

const closed = (...names: string[]) => ({
  type: "object",
  additionalProperties: false,
  properties: Object.fromEntries(["schema", "account", "records", ...names].map((name) => [name, {}])),
});

test("a registry that was made anew gives old ids to other subjects, and a frame stays what it was", async () => {
  const writer = codecWith(memoryRegistry(), { schemas: { a: closed(), b: closed() } });
  await writer.ready();
  const frames = [writer.frame("a", "abc", ["1"]), writer.frame("b", "abc", ["2"])];
  const reader = codecWith(memoryRegistry(), { schemas: { b: closed(), a: closed() } });
  await reader.ready();
  const subjects = frames.map((frame) => reader.decode(frame)).map((read) => ("subject" in read ? read.subject : read));
  expect(subjects).toEqual(["a", "b"]);
  const empty = codecWith(memoryRegistry(), { schemas: { a: closed(), b: closed() } });
  expect(frames.map((frame) => empty.decode(frame))).toMatchObject([{ subject: "a" }, { subject: "b" }]);
});

test("a value of a topic with one subject is never read as another one", async () => {
  const registry = memoryRegistry();
  const codec = codecWith(registry, { schemas: { a: closed(), b: closed() } });
  await codec.ready();
  const read = await codec.decode(codec.encode("b", { records: [] }), "a");
  expect(read).toMatchObject({ kind: "decoded", subject: "a" });
  expect(await codec.decode(toWire(77, "{}"), "a")).toMatchObject({ kind: "decoded", subject: "a" });
});

test("what a newer version wrote is refused until this one is upgraded, when a member would be lost", async () => {
  const registry = memoryRegistry();
  const newer = codecWith(registry, { schemas: { a: closed("more") } });
  await newer.ready();
  const older = codecWith(memoryRegistry(), { schemas: { a: closed() } });
  await older.ready();
  const ahead = expect.objectContaining({ code: "SCHEMA_AHEAD", retriable: true });
  const named = newer.frame("a", "abc", []).toString("utf8", 5);
  expect(older.decode(toWire(1, named))).toMatchObject({ kind: "decoded", subject: "a" });
  const withMore = named.replace('"records"', '"more":1,"records"');
  expect(() => older.decode(toWire(1, withMore))).toThrow(ahead);
  // Values without a name are validated by the schema that their id means.
  const reader = codecWith(registry, { schemas: { a: closed() } });
  await expect(async () => reader.decode(newer.encode("a", { more: 1 }))).rejects.toThrow(ahead);
  expect(await reader.decode(newer.encode("a", { account: "abc" }))).toMatchObject({ kind: "decoded", subject: "a" });
});

test("a reader that refused a value as newer decodes it once the registry gives its id the right meaning", async () => {
  const registry = memoryRegistry();
  const newer = codecWith(registry, { schemas: { b: closed("more") } });
  await newer.ready();
  const reader = codecWith(registry, { schemas: { a: closed("more"), b: closed() } });
  const value = newer.encode("b", { more: 1 });
  await expect(async () => reader.decode(value)).rejects.toMatchObject({ code: "SCHEMA_AHEAD" });
  registry.restore("a", closed("more"));
  expect(await reader.decode(value)).toMatchObject({ kind: "decoded", subject: "a" });
});

test("what is not ours is undecodable and says why", async () => {
  const codec = codecWith(memoryRegistry());
  await codec.ready();
  const reasons = [Buffer.alloc(0), Buffer.from("0{}abc"), toWire(1, "{not json")].map((value) => codec.decode(value));
  expect(reasons).toEqual([
    { kind: "undecodable", reason: "a value of 0 bytes is too short to be ours" },
    { kind: "undecodable", reason: "the first byte is 48, not the 0 of the registry's format" },
    { kind: "undecodable", reason: "schema id 1: not JSON" },
  ]);
});

test("the wire format keeps every id and text", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2 ** 31 - 1 }), fc.string({ unit: "grapheme", minLength: 1 }), (id, text) => {
      const wire = toWire(id, text);
      expect(readHead(wire)).toEqual({ kind: "head", schemaId: id });
      expect(textOf(wire)).toBe(text);
    }),
  );
});

test("a frame put together as text equals the frame serialised whole", () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), fc.array(fc.jsonValue()), (schema, account, records) => {
      const texts = records.map((record) => JSON.stringify(record));
      expect(frameText(schema, account, texts)).toBe(JSON.stringify({ schema, account, records }));
    }),
  );
});

test("the subject of a frame is read from its first bytes, and only from frames of our own schemas", async () => {
  const codec = codecWith(memoryRegistry());
  await codec.ready();
  const frame = codec.frame("b", "abc", ['{"id":"1"}']);
  expect(codec.peekSubject(frame)).toBe("b");
  expect(codec.peekSubject(frame.subarray(0, 31))).toBe("b");
  expect(codec.peekSubject(codec.encode("a", { schema: "b" }))).toBeUndefined();
  expect(codec.peekSubject(toWire(1, `{"schema":"b@${"0".repeat(12)}"}`))).toBeUndefined();
  expect(codec.peekSubject(toWire(1, `{"schema":"${"b".repeat(500)}"}`))).toBeUndefined();
  expect(codec.peekSubject(Buffer.alloc(3))).toBeUndefined();
});

test("a frame that names its schema twice is undecodable, so that nobody takes it for another than its first bytes say", async () => {
  const codec = codecWith(memoryRegistry());
  await codec.ready();
  const [a, b] = ["a", "b"].map((subject) => textOf(codec.frame(subject, "abc", [])));
  const twice = toWire(1, `${a?.slice(0, -1)},${b?.slice(1)}`);
  expect(codec.peekSubject(twice)).toBe("a");
  expect(await codec.decode(twice)).toEqual({ kind: "undecodable", reason: "its schema is named twice" });
});
