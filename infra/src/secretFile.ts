import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { link, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { OWNERS_FILE, OWNERS_FOLDER } from "./closedHome.ts";

const SECRET_BYTES = 32;

/** The text of a secret file (mode 0600); made of 32 random bytes in hex when it is not there. */
export async function readOrMakeSecret(file: string): Promise<string> {
  if (!existsSync(file)) await createOnce(file, `${randomBytes(SECRET_BYTES).toString("hex")}\n`);
  return (await readFile(file, "utf8")).trim();
}

/** Whole or not at all, and never over one that another process made meanwhile. */
async function createOnce(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: OWNERS_FOLDER });
  const unfinished = `${file}.${process.pid}`;
  await writeFile(unfinished, text, { mode: OWNERS_FILE });
  try {
    await link(unfinished, file);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  } finally {
    await rm(unfinished);
  }
}
