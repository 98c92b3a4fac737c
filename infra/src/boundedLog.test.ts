import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { BoundedLog } from "./boundedLog.ts";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "log-"));
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

test("a log keeps its last lines and two older files, and never more", () => {
  const log = new BoundedLog(join(folder, "a.log"), 20);
  for (let line = 0; line < 100; line++) log.append(`line ${line}\n`);
  expect(readdirSync(folder).sort()).toEqual(["a.log", "a.log.1", "a.log.2"]);
  expect(readFileSync(join(folder, "a.log"), "utf8")).toContain("line 99");
  expect(log.tail(1)).toBe("line 99");
});

test("a log that is opened again goes on where it was", () => {
  new BoundedLog(join(folder, "a.log"), 20).append("before\n");
  const again = new BoundedLog(join(folder, "a.log"), 20);
  again.append("after\n");
  expect(again.tail(9)).toBe("before\nafter");
  again.append("a line too long for it\n");
  expect(readFileSync(join(folder, "a.log.1"), "utf8")).toBe("before\nafter\n");
});

function full(): never {
  throw Object.assign(new Error("no space left on device, write"), { code: "ENOSPC" });
}

test("a full disk throws at nobody; what was said meanwhile is written when there is room, the last of it", async () => {
  let isFull = true;
  const file = join(folder, "a.log");
  const append = (_: string, bytes: Buffer): number => {
    if (isFull) full();
    // A write may take less than it is given.
    const part = bytes.subarray(0, 100_000);
    appendFileSync(file, part);
    return part.length;
  };
  const log = new BoundedLog(file, 1_000_000, append);
  for (let line = 0; line < 10; line++) log.append(`${String(line).repeat(49_999)}\n`);
  expect(log.errors()).toBe(10);
  expect(log.tail(1)).toBe("9".repeat(49_999));
  isFull = false;
  await expect.poll(() => existsSync(file)).toBe(true);
  const written = readFileSync(file, "utf8");
  const notice = "-- 237856 bytes were dropped here\n";
  expect([written.slice(0, notice.length), written.length]).toEqual([notice, 256 * 1024 + notice.length]);
  log.append("after\n");
  expect(log.tail(1)).toBe("after");
});

test("a log whose folder cannot be made yet throws at nobody", () => {
  writeFileSync(join(folder, "logs"), "in the way");
  const log = new BoundedLog(join(folder, "logs", "a.log"));
  log.append("kept\n");
  expect([log.errors(), log.tail(1)]).toEqual([1, "kept"]);
  rmSync(join(folder, "logs"));
  log.append("written\n");
  expect(readFileSync(join(folder, "logs", "a.log"), "utf8")).toBe("kept\nwritten\n");
});

test("a log is its owner's alone", () => {
  const log = new BoundedLog(join(folder, "logs", "a.log"));
  log.append("line\n");
  expect([statSync(dirname(log.file)).mode & 0o777, statSync(log.file).mode & 0o777]).toEqual([0o700, 0o600]);
});
