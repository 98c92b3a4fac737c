import { defaultSettings, timeOfVersion, ZERO_VERSION } from "@headwater/contracts";
import type { LogFrame } from "@headwater/topics";
import { expect, test } from "vitest";
import { type Reading, readFrames } from "./readFrames.ts";

const account = { number: 1, id: "a".repeat(24), name: "test", settings: defaultSettings };

/** Values say their subject themselves, as JSON text; one that begins with ! stands for a registry that is away. */
const codec: Reading["codec"] = {
  decode: (value: Buffer) => {
    const text = value.toString();
    if (text.startsWith("!")) throw Object.assign(new Error("connect"), { code: "ECONNREFUSED" });
    if (!text.startsWith("{")) return { kind: "undecodable", reason: "no frame" };
    return { kind: "decoded", subject: "intake.upsertContact", value: JSON.parse(text) };
  },
};

const reading: Reading = {
  codec,
  accounts: { byId: async (id) => (id === account.id ? account : undefined) },
  topic: "intake.records",
  partition: 2,
  greatestTime: 500,
  nextOffset: 10,
  recordsMax: 3,
};

const record = (id: string) => ({ id, receivedAt: 0, contact: { identifiers: { email: `${id}@x.example` } } });

function frame(offset: number, ids: readonly string[], more: Partial<LogFrame> = {}): LogFrame {
  const value = Buffer.from(JSON.stringify({ account: account.id, records: ids.map(record) }));
  return { offset, timeMs: 1_000 + offset, key: undefined, value, headers: {}, ...more };
}

test("reading ends before the frame that has more records than are applied at once", async () => {
  const read = await readFrames(reading, [frame(10, ["a", "b"]), frame(11, ["c"]), frame(12, ["d"])]);
  expect(read.map(({ offset }) => offset)).toEqual([10, 11]);
});

test("one frame is read whatever it holds", async () => {
  const read = await readFrames(reading, [frame(10, ["a", "b", "c", "d", "e"])]);
  expect(read[0]?.records).toHaveLength(5);
});

test("frames that are applied already do not count: they only rebuild what is remembered", async () => {
  const read = await readFrames(reading, [frame(8, ["a", "b", "c"]), frame(9, ["d"]), frame(10, ["e"])]);
  expect(read.map(({ offset }) => offset)).toEqual([8, 9, 10]);
});

test("versions rise by offset and place, and append times that fall do not make them fall", async () => {
  const read = await readFrames(reading, [frame(10, ["a", "b"], { timeMs: 2_000 }), frame(11, ["c"], { timeMs: 1 })]);
  const versions = read.flatMap(({ records }) => records.map(({ version }) => version));
  expect(versions).toEqual([...versions].sort());
  expect(new Set(versions).size).toBe(3);
  expect(versions.map(timeOfVersion)).toEqual([2_000, 2_000, 2_000]);
});

test("a redriven record keeps the version in the header; what is no version is passed over", async () => {
  const [stored] = await readFrames(reading, [frame(10, ["a"], { headers: { version: ZERO_VERSION } })]);
  expect(stored?.records[0]?.version).toBe(ZERO_VERSION);
  const [own] = await readFrames(reading, [frame(10, ["a"], { headers: { version: "no version" } })]);
  expect(timeOfVersion(own?.records[0]?.version ?? "")).toBe(1_010);
});

test("a message that is no frame, or of an account that does not exist, is undecodable, and its neighbours are read", async () => {
  const stranger = Buffer.from(JSON.stringify({ account: "b".repeat(24), records: [record("x")] }));
  const read = await readFrames(reading, [
    frame(10, [], { value: Buffer.from("no frame") }),
    frame(11, [], { value: stranger }),
    frame(12, ["a"]),
  ]);
  expect(read.map(({ records, undecodable }) => [records.length, undecodable.length])).toEqual([
    [0, 1],
    [0, 1],
    [1, 0],
  ]);
});

test("a registry that is away makes no message undecodable", async () => {
  await expect(readFrames(reading, [frame(10, [], { value: Buffer.from("!") })])).rejects.toThrow("connect");
});
