import {
  type DeadLetterSelection,
  type DeadLetterStatus,
  deadLetterSelection,
  deadLetterStatuses,
  parseTime,
} from "@headwater/contracts";
import type { DeadLetterFilters } from "@headwater/intake/deadLetters/deadLetters";
import { safeParse, toDetails } from "@headwater/kernel";
import type { Session } from "@headwater/postgres/connection/session";
import { type Command, Option } from "commander";
import { z } from "zod";
import { accountOf } from "../accounts/accountBook.ts";
import { usageError, validationError } from "../failure.ts";
import { parseWith } from "../options.ts";

const schema = z.object({
  account: z.string().optional(),
  undecodable: z.boolean().default(false),
  operation: z.string().optional(),
  code: z.string().optional(),
  from: z.string().optional(),
  to: z.string().optional(),
  status: z.enum([...deadLetterStatuses, "any"]).default("open"),
});
type Input = z.output<typeof schema>;

/** Account of messages that nobody could read. */
export const NOBODYS = 0;

/** Adds the choice of an account: `--account`, or dead letters that belong to none. */
export function addWhose(command: Command): Command {
  return command
    .option("--account <account>", "id or name of the account")
    .option("--undecodable", "messages that nobody could read, which belong to no account");
}

export function addFilters(command: Command): Command {
  return addWhose(command)
    .option("--operation <name>", "of this operation")
    .option("--code <code>", "rejected with this code")
    .option("--from <time>", "rejected at or after, in the account's time zone")
    .option("--to <time>", "rejected before");
}

export function addStatus(command: Command): Command {
  return command.addOption(
    new Option("--status <status>", "in this state").choices([...deadLetterStatuses, "any"]).default("open"),
  );
}

export interface Whose {
  readonly number: number;
  readonly timezone: string;
}

/** @throws HeadwaterError RECORD_NOT_FOUND, USAGE. */
export async function readWhose(session: Session, input: unknown): Promise<Whose> {
  const { account, undecodable } = parseWith(schema, input);
  if (undecodable && account === undefined) return { number: NOBODYS, timezone: "UTC" };
  if (undecodable || account === undefined) throw usageError("--account or --undecodable is required.");
  const { number, settings } = await accountOf(session, account);
  return { number, timezone: settings.timezone };
}

/** Returns the filters of `ls` and `group`. */
export function filtersOf(provided: unknown, whose: Whose): DeadLetterFilters {
  const options = parseWith(schema, provided);
  const statuses: readonly DeadLetterStatus[] = options.status === "any" ? deadLetterStatuses : [options.status];
  return { ...toTimes(options, whose), account: whose.number, statuses };
}

/** Returns the selection of `redrive` and `discard`: open dead letters, by id or by at least one filter. */
export function selectionOf(
  received: unknown,
  ids: readonly string[],
  whose: Whose,
): Omit<DeadLetterFilters, "statuses" | "account"> {
  const { operation, code, from, to } = parseWith(schema, received);
  const selection = { operation, code, from, to, ids: ids.length === 0 ? undefined : [...ids] };
  if (Object.values(selection).every((value) => value === undefined)) {
    throw usageError("Select dead letters: by ids, or by at least one of --operation, --code, --from and --to.");
  }
  const parsed = safeParse(deadLetterSelection, selection);
  if (!parsed.success) throw validationError("The selection is invalid:", toDetails(parsed.error));
  return { ids: parsed.data.ids, ...toTimes(parsed.data, whose) };
}

function toTimes({ operation, code, from, to }: Pick<Input, "operation" | "code"> & DeadLetterSelection, whose: Whose) {
  const range = { from: readTime(from, whose), to: readTime(to, whose) };
  if (range.from !== undefined && range.to !== undefined && range.from >= range.to) {
    throw validationError(`--from ${from} is not before --to ${to}: nothing can be in this range.`);
  }
  return { operation, code, ...range };
}

function readTime(text: string | undefined, { timezone }: Whose): number | undefined {
  if (text === undefined) return undefined;
  const time = parseTime(text, timezone);
  if (time === undefined) throw validationError(`${text} is not an ISO 8601 date or timestamp.`);
  return time;
}
