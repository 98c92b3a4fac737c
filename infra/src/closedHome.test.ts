import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { closeHome } from "./closedHome.ts";

let home: string;

beforeEach(() => {
  home = join(mkdtempSync(join(tmpdir(), "home-")), "home");
});

afterEach(() => {
  rmSync(dirname(home), { recursive: true });
});

/** Writes files as an earlier version did: for everybody to read, whatever the umask is. */
function open(...files: string[]): void {
  for (const file of files) {
    mkdirSync(join(home, dirname(file)), { recursive: true });
    writeFileSync(join(home, file), "data");
    chmodSync(join(home, file), 0o644);
    for (let folder = dirname(file); folder !== "."; folder = dirname(folder)) chmodSync(join(home, folder), 0o755);
  }
  chmodSync(home, 0o755);
}

function modeOf(path: string): string {
  return (statSync(join(home, path)).mode & 0o777).toString(8);
}

test("a new home lets its owner alone in", async () => {
  await closeHome(home);
  expect(modeOf(".")).toBe("700");
});

test("a home that others could read is closed, down to the last file", async () => {
  const files = ["connection.json", "logs/a.log", "run/supervisor.json", "data/kafka/current/logs/topic-0/0.log"];
  open(...files, "data/kafka/data-version");
  await closeHome(home);
  for (const file of [...files, "data/kafka/data-version"]) expect([file, modeOf(file)]).toEqual([file, "600"]);
  for (const folder of [".", "logs", "run", "data", "data/kafka", "data/kafka/current", "data/kafka/current/logs"]) {
    expect([folder, modeOf(folder)]).toEqual([folder, "700"]);
  }
});

test("what is not ours stays as it is, and so does the folder that holds it", async () => {
  open("logs/a.log", "thesis/chapter.txt");
  await closeHome(home);
  expect([modeOf("."), modeOf("logs"), modeOf("logs/a.log")]).toEqual(["755", "700", "600"]);
  expect([modeOf("thesis"), modeOf("thesis/chapter.txt")]).toEqual(["755", "644"]);
});
