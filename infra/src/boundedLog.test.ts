import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
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
