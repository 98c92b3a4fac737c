import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFileStore } from "@headwater/jobs/files/fileStore";
import type { Source } from "@headwater/jobs/sources/openRows";
import { afterAll, beforeAll, expect, test } from "vitest";
import { nextRows } from "./nextRows.ts";

const folder = mkdtempSync(join(tmpdir(), "headwater-rows-"));
const files = createFileStore({ folder });
const accountId = "a".repeat(24);
const ROWS = 5_000;
const text = Array.from({ length: ROWS }, (_, n) => `r${n}@example.com\n`).join("");
const from = { offset: 0, line: 1, index: 0 };
const source: Source = {
  file: { id: "b".repeat(24), bytes: text.length, markBytes: 0 },
  form: { format: "csv", delimiter: ",", newline: "\n" },
  header: ["email"],
  from,
};

beforeAll(async () => {
  const bytes = async function* () {
    yield text;
  };
  await files.write({ accountId, id: source.file.id }, bytes());
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const none = { written: 0, rejections: [] };

test("a step reads all rows of a small source", async () => {
  let seen = 0;
  const done = await nextRows({ source, accountId, at: from, decimalMembers: undefined }, { files }, async (rows) => {
    seen += rows.length;
    return none;
  });
  expect([seen, done.isEnd, done.at.index]).toEqual([ROWS, true, ROWS]);
});

test("a step whose job is canceled ends behind the rows in hand", async () => {
  const canceled = new AbortController();
  const handed: number[] = [];
  const reading = { source, accountId, at: from, decimalMembers: undefined, canceled: canceled.signal };
  const done = await nextRows(reading, { files }, async (rows) => {
    handed.push(rows.length);
    canceled.abort();
    return { ...none, written: rows.length };
  });
  expect(handed).toHaveLength(1);
  expect(done).toMatchObject({ isEnd: false, written: handed[0], at: { index: handed[0] } });
});

test("a step reads nothing behind rows that are the last", async () => {
  let flushes = 0;
  const done = await nextRows({ source, accountId, at: from, decimalMembers: undefined }, { files }, async () => {
    flushes += 1;
    return { ...none, isLast: true };
  });
  expect([flushes, done.isEnd]).toEqual([1, true]);
});
