import { z } from "zod";

const packageSchema = z.looseObject({
  version: z.string().optional(),
  integrity: z.string().optional(),
  license: z.string().optional(),
  link: z.boolean().optional(),
  dev: z.boolean().optional(),
  optional: z.boolean().optional(),
  os: z.array(z.string()).optional(),
  cpu: z.array(z.string()).optional(),
  libc: z.array(z.string()).optional(),
  optionalDependencies: z.record(z.string(), z.string()).optional(),
});
export const lockFileSchema = z.looseObject({ packages: z.record(z.string(), packageSchema) });

export type LockFile = z.output<typeof lockFileSchema>;
export type LockedPackage = z.output<typeof packageSchema>;

interface AddedPackage extends System {
  readonly version: string;
  readonly dev: boolean | undefined;
  readonly license: string | undefined;
  readonly optional: true;
}

interface System {
  readonly os: string[];
  readonly cpu: string[];
  readonly libc: string[] | undefined;
}

interface MissingPackage {
  readonly name: string;
  /** The exact version that `from` asks for. */
  readonly version: string;
  /** The path of the package that names it as optional. */
  readonly from: string;
}

/**
 * Returns the optional packages that the lock file does not hold. A registry that lacks the packages of some systems makes npm leave
 * them out, and `npm ci` then refuses the lock file on every machine whose registry has them.
 */
export function findMissingPackages({ packages }: LockFile): MissingPackage[] {
  return Object.entries(packages).flatMap(([from, { optionalDependencies = {} }]) =>
    Object.entries(optionalDependencies)
      .filter(([name]) => !positionsOf(from, name).some((path) => packages[path] !== undefined))
      .map(([name, version]) => ({ name, version, from })),
  );
}

/**
 * Returns an entry for every missing optional package, by its path. Its system is read from its name, and it has no checksum, for the
 * registry that made the lock file cannot name one: npm takes such a package by its exact version.
 */
export function entriesOfMissingPackages(lock: LockFile): Record<string, AddedPackage> {
  const entries = findMissingPackages(lock).map(({ name, version, from }): [string, AddedPackage] => {
    const { dev, license } = lock.packages[from] ?? {};
    // In npm's order, so that npm changes nothing when it writes the file again.
    const { os, cpu, libc } = systemOf(name);
    return [`node_modules/${name}`, { version, cpu, dev, libc, license, optional: true, os }];
  });
  return Object.fromEntries(entries);
}

/** Returns every folder where Node searches for `name` from the package at `from`, nearest first. */
function positionsOf(from: string, name: string): string[] {
  const nested = from.lastIndexOf("/node_modules/");
  const isNested = from.startsWith("node_modules/") && nested >= 0;
  const own = `${from === "" ? "" : `${from}/`}node_modules/${name}`;
  if (from === "") return [own];
  return [own, ...positionsOf(isNested ? from.slice(0, nested) : "", name)];
}

const SYSTEMS = ["android", "darwin", "freebsd", "linux", "openharmony", "win32"];
const PROCESSORS = ["arm", "arm64", "ia32", "ppc64", "riscv64", "s390x", "x64"];
const LIBRARIES: Readonly<Record<string, string>> = { gnu: "glibc", musl: "musl" };
/** Packages that name a system or a processor in a way of their own. */
const OTHER_WORDS: Readonly<Record<string, string>> = { "64": "x64", windows: "win32" };

function systemOf(name: string): System {
  const words = name.split(/[/-]/).map((word) => OTHER_WORDS[word] ?? word);
  const os = words.find((word) => SYSTEMS.includes(word));
  const cpu = words.find((word) => PROCESSORS.includes(word));
  const libc = words.map((word) => LIBRARIES[word]).find((library) => library !== undefined);
  if (os === undefined || cpu === undefined) throw new Error(`the name of ${name} names no system: add it by hand`);
  return { cpu: [cpu], libc: libc === undefined ? undefined : [libc], os: [os] };
}
