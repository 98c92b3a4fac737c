import { open } from "node:fs/promises";
import { unreadable, withoutByteMark } from "../accounts/readDocument.ts";
import { validationError } from "../failure.ts";
import type { Terminal } from "../terminal.ts";

/** The bound of intake on a body is 10 MiB; what stands around the items stays below the rest. */
const BATCH_CHARACTERS_MAX = 2 * 1024 * 1024;

/**
 * The items of an NDJSON file, or of standard input for `-`, in batches of at most `itemsMax`; one batch is held.
 * @throws HeadwaterError `VALIDATION_ERROR` naming the line that is not JSON, `USAGE` for a file that cannot be read.
 */
export async function* batchesOf(
  terminal: Pick<Terminal, "readLines">,
  file: string,
  itemsMax: number,
): AsyncGenerator<readonly unknown[], void> {
  let items: unknown[] = [];
  let characters = 0;
  let number = 0;
  for await (const read of linesOf(terminal, file)) {
    number += 1;
    const line = number === 1 ? withoutByteMark(read) : read;
    if (line.trim() === "") continue;
    if (items.length === itemsMax || (items.length > 0 && characters + line.length > BATCH_CHARACTERS_MAX)) {
      yield items;
      items = [];
      characters = 0;
    }
    items.push(parseLine(line, number));
    characters += line.length;
  }
  if (items.length > 0) yield items;
}

async function* linesOf(terminal: Pick<Terminal, "readLines">, file: string): AsyncGenerator<string, void> {
  if (file === "-") return yield* terminal.readLines();
  try {
    await using handle = await open(file);
    yield* handle.readLines();
  } catch (cause) {
    throw unreadable(file, cause);
  }
}

function parseLine(line: string, number: number): unknown {
  try {
    return JSON.parse(line);
  } catch (cause) {
    throw validationError(`Line ${number} is not JSON: ${cause instanceof Error ? cause.message : String(cause)}`);
  }
}
