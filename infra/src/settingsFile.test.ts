import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { writeSettings } from "./settingsFile.ts";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "settings-"));
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

test("settings that are the same are not written, so that a full disk keeps nobody from starting", async () => {
  const file = join(folder, "server.properties");
  await writeSettings(file, "port=1\n");
  const { ino, mode } = statSync(file);
  expect(mode & 0o777).toBe(0o600);
  await writeSettings(file, "port=1\n");
  expect(statSync(file).ino).toBe(ino);
  await writeSettings(file, "port=2\n");
  expect([readFileSync(file, "utf8"), readdirSync(folder)]).toEqual(["port=2\n", ["server.properties"]]);
});
