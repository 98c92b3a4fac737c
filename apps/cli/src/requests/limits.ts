import { type Command, InvalidArgumentError } from "commander";
import { z } from "zod";

const ROWS_DEFAULT = 25;
const ROWS_MAX = 1_000_000_000;

/** Adds the options for the number of rows of a list. */
export function addLimits(command: Command): Command {
  return command
    .option("--limit <n>", `show at most n rows (default ${ROWS_DEFAULT})`, parseCount)
    .option("--all", "every row: pages are shown as they come");
}

const schema = z.object({ limit: z.number().optional(), all: z.boolean().default(false) });

/** Infinity for all. A limit given with `--all` holds. */
export function rowsMaxOf(input: unknown): number {
  const { limit, all } = schema.parse(input);
  return limit ?? (all ? Number.POSITIVE_INFINITY : ROWS_DEFAULT);
}

function parseCount(typed: string): number {
  const count = /^[1-9]\d{0,9}$/.test(typed) ? Number(typed) : 0;
  if (count >= 1 && count <= ROWS_MAX) return count;
  throw new InvalidArgumentError(`It is a whole number from 1 to ${ROWS_MAX}.`);
}

/** Seconds as an option takes them: `0.5`, `30`. */
export function parseSeconds(typed: string): number {
  const seconds = typed.trim() === "" ? Number.NaN : Number(typed);
  if (seconds >= 0 && seconds <= 86_400) return seconds;
  throw new InvalidArgumentError("It is a number of seconds from 0 to 86400.");
}
