import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { javaCommand } from "./environment.ts";

const ID_CHARS = 12;
/** Java warns of each class that it cannot keep, and of an archive that it does not take. */
const QUIET = "-Xlog:cds*=error";
const ids = new Map<string, string>();

/**
 * The archive of a Java server's classes next to its jars. Java reads one that the same Java made on the same jars, and goes without it
 * otherwise.
 */
export function classArchive(jars: string): string {
  return join(jars, `classes-${javaId(javaCommand())}.jsa`);
}

/**
 * Java's arguments for the archive of these jars where there is one: a server starts in a third of the time then.
 * @param classesTo file to which the classes are written at the end of the process instead.
 */
export function classArguments(jars: string, classesTo?: string): string[] {
  if (classesTo !== undefined) return [`-XX:ArchiveClassesAtExit=${classesTo}`, QUIET];
  const archive = classArchive(jars);
  return existsSync(archive) ? [`-XX:SharedArchiveFile=${archive}`, QUIET] : [];
}

/** A short name of this Java and its build. */
function javaId(command: string): string {
  const known = ids.get(command);
  if (known !== undefined) return known;
  const { stderr } = spawnSync(command, ["-version"], { encoding: "utf8" });
  const id = createHash("sha256").update(stderr).digest("hex").slice(0, ID_CHARS);
  ids.set(command, id);
  return id;
}
