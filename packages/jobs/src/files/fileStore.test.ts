import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { createFileStore } from "./fileStore.ts";

const folder = mkdtempSync(join(tmpdir(), "headwater-files-"));
afterAll(() => rmSync(folder, { recursive: true }));
const store = createFileStore({ folder });
const key = { accountId: "a".repeat(24), id: "b".repeat(24) };

async function* chunks(...parts: string[]) {
  yield* parts;
}
async function textOf(bytes: AsyncIterable<Buffer>): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of bytes) parts.push(part);
  return Buffer.concat(parts).toString();
}

test("a file is there whole, with its checksum, and can be read in part", async () => {
  const written = await store.write(key, chunks("héllo ", "world"));
  expect(written).toEqual({
    bytes: 12,
    sha256: "27c965a4110f97162bc6c0d4a35857c3165747e656b88b14d45469a148390a75",
  });
  expect(await textOf(store.read(key, { start: 0, end: 11 }))).toBe("héllo world");
  expect(await textOf(store.read(key, { start: 7, end: 9 }))).toBe("wor");
});

test("a write that breaks off leaves the former file, and the next write replaces it", async () => {
  await store.write(key, chunks("first"));
  const breaking = async function* () {
    yield "seco";
    throw new Error("broke off");
  };
  await expect(store.write(key, breaking())).rejects.toThrow("broke off");
  expect(readFileSync(join(folder, key.accountId, key.id), "utf8")).toBe("first");
  await store.write(key, chunks("second"));
  expect(readdirSync(join(folder, key.accountId))).toEqual([key.id]);
});

test("a name is no path", async () => {
  await expect(store.write({ ...key, id: "../../etc/passwd" }, chunks("x"))).rejects.toThrow(RangeError);
});

test("a file that is removed is gone, and removing it again is no error", async () => {
  await store.write(key, chunks("x"));
  await store.remove(key);
  await store.remove(key);
  expect(readdirSync(join(folder, key.accountId))).toEqual([]);
});
