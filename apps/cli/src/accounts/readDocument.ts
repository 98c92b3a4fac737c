import { readFile } from "node:fs/promises";
import type { HeadwaterError } from "@headwater/kernel";
import { usageError, validationError } from "../failure.ts";
import type { Terminal } from "../terminal.ts";

/** The JSON of a file, or of standard input when it is `-`. */
export async function readDocument(file: string, terminal: Terminal): Promise<unknown> {
  const text = file === "-" ? await terminal.readInput() : await textOf(file);
  try {
    return JSON.parse(withoutByteMark(text));
  } catch (cause) {
    throw validationError(`${inputName(file)} is not JSON: ${cause instanceof Error ? cause.message : String(cause)}`);
  }
}

/** Returns a text without the byte order mark that some editors write. */
export function withoutByteMark(text: string): string {
  return text.startsWith("\ufeff") ? text.slice(1) : text;
}

/** Returns what messages call an input: `-` is standard input. */
export function inputName(file: string): string {
  return file === "-" ? "Standard input" : file;
}

/** The error of a file that was named and cannot be read. */
export function unreadable(file: string, cause: unknown): HeadwaterError {
  return usageError(`${file} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`);
}

async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (cause) {
    throw unreadable(file, cause);
  }
}
