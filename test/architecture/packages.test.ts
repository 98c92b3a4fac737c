import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT, read, workspaces } from "./repository.ts";

const README_LINES_MIN = 15;
const members = workspaces().filter(({ folder }) => folder !== ".");

test("there are workspaces to look at", () => {
  expect(members.length).toBeGreaterThan(10);
});

test.each(members.map(({ folder }) => folder))("%s says in a README what it is for", (folder) => {
  const path = `${folder}/README.md`;
  expect(existsSync(join(ROOT, path)), `${path} is missing`).toBe(true);
  expect(read(path).trimEnd().split("\n").length).toBeGreaterThanOrEqual(README_LINES_MIN);
});

test("a package is named after its folder, and an app whose name a package has says that it is the process", () => {
  const folders = new Set(members.map(({ folder }) => folder));
  for (const { folder, manifest } of members) {
    const [kind, name] = folder.split("/");
    const isTaken = kind === "apps" && folders.has(`packages/${name}`);
    expect(manifest.name).toBe(`@headwater/${name ?? kind}${isTaken ? "-process" : ""}`);
  }
});

test("every dependency is an exact version", () => {
  const declared = workspaces().flatMap(({ folder, manifest }) =>
    [manifest.dependencies, manifest.devDependencies, manifest.optionalDependencies, manifest.peerDependencies].flatMap(
      (group) => Object.entries(group ?? {}).map(([name, version]) => ({ folder, name, version })),
    ),
  );
  expect(declared.length).toBeGreaterThan(40);
  expect(declared.filter(({ version }) => !/^(npm:[\w@/-]+@)?\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/.test(version))).toEqual(
    [],
  );
});

test("one dependency has one version in all packages", () => {
  const versions = new Map<string, Set<string>>();
  for (const { manifest } of workspaces()) {
    for (const [name, version] of Object.entries({ ...manifest.dependencies, ...manifest.devDependencies })) {
      versions.set(name, (versions.get(name) ?? new Set()).add(version));
    }
  }
  expect(versions.size).toBeGreaterThan(20);
  expect([...versions].filter(([, found]) => found.size > 1).map(([name]) => name)).toEqual([]);
});

test("the lock file pins by checksum and names no place to download from", () => {
  const lock: {
    packages: Record<
      string,
      { resolved?: string; link?: boolean; integrity?: string; optional?: boolean; os?: string[] }
    >;
  } = JSON.parse(read("package-lock.json"));
  const entries = Object.entries(lock.packages);
  expect(entries.length).toBeGreaterThan(200);
  expect(entries.filter(([, entry]) => entry.resolved !== undefined && entry.link !== true)).toEqual([]);
  const foreign = entries.filter(([path, entry]) => path.includes("node_modules/") && entry.link !== true);
  // infra/lockFile says which optional packages of other systems have none, and a test there that none of them runs where it was made.
  const isOfOneSystem = (entry: { optional?: boolean; os?: string[] }) =>
    entry.optional === true && entry.os !== undefined;
  const unchecked = foreign.filter(([, entry]) => entry.integrity === undefined && !isOfOneSystem(entry));
  expect(unchecked.map(([path]) => path)).toEqual([]);
});
