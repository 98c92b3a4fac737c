import { readFile } from "node:fs/promises";
import { usageError, validationError } from "../failure.ts";
import type { Terminal } from "../terminal.ts";

/** The JSON of a file, or of standard input when it is `-`. */
export async function readDocument(file: string, terminal: Terminal): Promise<unknown> {
  const text = file === "-" ? await terminal.readInput() : await textOf(file);
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw validationError(`${file} is not JSON: ${cause instanceof Error ? cause.message : String(cause)}`);
  }
}

async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (cause) {
    throw usageError(`${file} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`);
  }
}
