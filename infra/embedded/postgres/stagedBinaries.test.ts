import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { stageFolder } from "./stagedBinaries.ts";

let folder: string;
let source: string;
let open: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "staged-"));
  chmodSync(folder, 0o755);
  open = join(folder, "cache", "headwater");
  // Installed under umask 077: nobody but the owner can read any of it.
  source = join(folder, "closed", "native");
  write("bin/postgres", "program", 0o700);
  write("share/timezone", "UTC", 0o600);
  write("lib/libpq.so.5.18", "library", 0o600);
  symlinkSync("libpq.so.5.18", join(source, "lib", "libpq.so.5"));
  chmodSync(dirname(source), 0o700);
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

function write(file: string, text: string, mode: number): void {
  mkdirSync(join(source, dirname(file)), { recursive: true, mode: 0o700 });
  writeFileSync(join(source, file), text, { mode });
}

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

test("programs of a closed folder are copied to where everybody can run them and only the owner can change them", async () => {
  const staged = await stageFolder(source, "postgres-18", [open]);
  expect(staged).toBe(join(open, "postgres-18"));
  for (const path of [open, staged, join(staged, "bin"), join(staged, "bin/postgres")]) {
    expect([path, modeOf(path)]).toEqual([path, "755"]);
  }
  expect(modeOf(join(staged, "share/timezone"))).toBe("644");
  expect(readFileSync(join(staged, "lib/libpq.so.5"), "utf8")).toBe("library");
});

test("a whole copy is kept, and one that a power cut left with an empty file is made anew", async () => {
  const staged = await stageFolder(source, "postgres-18", [open]);
  const createdAtMs = statSync(join(staged, "bin/postgres")).ctimeMs;
  await stageFolder(source, "postgres-18", [open]);
  expect(statSync(join(staged, "bin/postgres")).ctimeMs).toBe(createdAtMs);
  writeFileSync(join(staged, "share/timezone"), "");
  await stageFolder(source, "postgres-18", [open]);
  expect(readFileSync(join(staged, "share/timezone"), "utf8")).toBe("UTC");
});

test("processes that stage binaries at the same time end with one whole copy", async () => {
  const all = await Promise.all([1, 2, 3].map(() => stageFolder(source, "postgres-18", [open])));
  expect(new Set(all)).toEqual(new Set([join(open, "postgres-18")]));
  expect(readFileSync(join(open, "postgres-18", "bin/postgres"), "utf8")).toBe("program");
});

test("a folder that others may not enter, or may write to, is passed over for the next", async () => {
  const closed = join(folder, "closed", "cache");
  const writable = join(folder, "writable");
  mkdirSync(writable);
  chmodSync(writable, 0o777);
  const staged = await stageFolder(source, "postgres-18", [closed, join(writable, "cache"), open]);
  expect(staged).toBe(join(open, "postgres-18"));
});
