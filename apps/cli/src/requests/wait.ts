import { members, type Row, type ServiceClient } from "@headwater/api-client";
import type { Command } from "commander";
import { z } from "zod";
import type { Call } from "../call.ts";
import { exitCodes } from "../failure.ts";
import { parseWith } from "../options.ts";
import { showOne } from "../output/show.ts";
import { parseSeconds } from "./limits.ts";
import { isMembers } from "./readInput.ts";

const WAIT_SECONDS_DEFAULT = 600;
const COLUMNS_DISPLAYED = 100;

/** Following what a write has started to its end. */
export function addWait(command: Command): Command {
  return addTimeout(
    command
      .option("--wait", "follow the job that it starts to its end")
      .option("--receipt", "print the write's receipt alone, for --after"),
  );
}

export function addTimeout(command: Command): Command {
  return command.option("--timeout <seconds>", `how long to wait (default ${WAIT_SECONDS_DEFAULT})`, parseSeconds);
}

const schema = z.object({
  wait: z.boolean().default(false),
  receipt: z.boolean().default(false),
  timeout: z.number().default(WAIT_SECONDS_DEFAULT),
});

export function waitOf(input: unknown): {
  readonly wait: boolean;
  readonly receipt: boolean;
  readonly timeoutMs: number;
} {
  const { timeout, ...rest } = parseWith(schema, input);
  return { ...rest, timeoutMs: timeout * 1_000 };
}

/** Follows a job, with its progress on standard error, and shows how it ended: exit code 7 when it failed or was canceled. */
export async function followJob(
  call: Call,
  service: ServiceClient,
  job: { id: string; timeoutMs: number },
): Promise<Row> {
  const { progress } = call.terminal;
  const ended = await service.waitForJob(job.id, {
    timeoutMs: job.timeoutMs,
    onProgress: ({ status, completedItems, totalItems }) =>
      progress.show({ label: String(status), done: Number(completedItems ?? 0), total: Number(totalItems ?? 0) }),
  });
  progress.end();
  sayRowWarnings(call, ended);
  sayColumnWarnings(call, ended);
  if (ended.status !== "Done") {
    sayWhy(call, ended);
    call.fail(exitCodes.jobFailed);
  }
  return ended;
}

/** Warnings of an import's counts of rows by name, by their member of the job's metadata. */
const rowWarnings = [
  ["ignoredMembers", "members that are not known were ignored"],
  ["invalidAddresses", "values that are not addresses get no messages"],
  ["similarNames", "names that are nearly identifiers or channels of the account are stored as they are"],
  ["missingValues", "identifiers that say that there is no value find no contact"],
] as const;

/** Reports the names that the rows of an import were warned of. */
function sayRowWarnings({ terminal }: Call, { metadata }: Row): void {
  for (const [member, text] of rowWarnings) {
    const counts = isMembers(metadata) ? metadata[member] : undefined;
    if (isMembers(counts)) terminal.say(`warning: ${text}: ${rowsByName(counts)}`);
  }
}

function rowsByName(counts: object): string {
  return Object.entries(counts)
    .map(([name, rows]) => `${name} (${String(rows)} rows)`)
    .join(", ");
}

/** Reports the columns of an import whose texts are not in the notation that it names, or have the marks of an export. */
function sayColumnWarnings({ terminal }: Call, { metadata }: Row): void {
  const { columnWarnings, markedTexts } = isMembers(metadata) ? metadata : {};
  const columns = Array.isArray(columnWarnings) ? columnWarnings.filter(isMembers) : [];
  for (const { column, message, code } of columns.slice(0, COLUMNS_DISPLAYED))
    terminal.say(`warning: column ${JSON.stringify(column)}: ${String(message)} (${String(code)})`);
  if (columns.length > COLUMNS_DISPLAYED) terminal.say(`… and ${columns.length - COLUMNS_DISPLAYED} more columns`);
  if (!isMembers(markedTexts)) return;
  terminal.say(
    `warning: texts begin with the ' that exports put before formulas: ${rowsByName(markedTexts)}. Import with --formula-safe to take it away.`,
  );
}

function sayWhy({ terminal }: Call, { metadata }: Row): void {
  const error = isMembers(metadata) ? metadata.error : undefined;
  if (isMembers(error)) terminal.say(`headwater: ${String(error.code)}: ${String(error.message)}`);
}

export async function showJob(
  call: Call,
  service: ServiceClient,
  job: { id: string; timeoutMs: number },
): Promise<void> {
  showOne(call, await followJob(call, service, job), members.getJob);
}
