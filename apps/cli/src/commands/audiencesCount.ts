import { members, type ServiceClient } from "@headwater/api-client";
import type { Command } from "commander";
import { Option } from "commander";
import { z } from "zod";
import { readDocument } from "../accounts/readDocument.ts";
import type { Call } from "../call.ts";
import { validationError } from "../failure.ts";
import { addDryRun, parseWith } from "../options.ts";
import { showOne, showRows } from "../output/show.ts";
import { isMembers } from "../requests/readInput.ts";
import { showRequest } from "../requests/run.ts";
import type { LeafCommand } from "./command.ts";

type Members = Readonly<Record<string, unknown>>;

const schema = z.object({
  file: z.string(),
  after: z.string().optional(),
  asOf: z.string().optional(),
  basis: z.string().optional(),
  timezone: z.string().optional(),
  sample: z.coerce.number().int().min(1).optional(),
});

export const audiencesCount: LeafCommand = {
  usage: "count",
  summary: "Count the contacts that match criteria.",
  examples: [
    "headwater audiences count -f criteria.json",
    'echo \'{"list":"vip","op":"in"}\' | headwater audiences count -f - --json --fields count',
  ],
  options: addCriteria,
  run: async (call, _args, input) => count(call, input, {}, (answer) => showOne(call, answer, members.countAudience)),
};

export const audiencesExplain: LeafCommand = {
  usage: "explain",
  summary: "Count at every node of the criteria, to see where contacts drop out.",
  examples: ["headwater audiences explain -f criteria.json"],
  options: addCriteria,
  run: async (call, _args, provided) =>
    count(call, provided, { explain: true }, (answer) => {
      const { explain, ...whole } = answer;
      if (!Array.isArray(explain) || call.options.format === "json")
        return showOne(call, answer, members.countAudience);
      const { asOf } = parseWith(schema, provided);
      const counted = asOf !== undefined && isMembers(whole.options) ? whole.options.asOf : whole.asOf;
      call.terminal.say(`${String(whole.count)} contacts as of ${String(counted)}`);
      showRows(call, ["path", "count", "leftOut"], explain.filter(isMembers));
    }),
};

export const audiencesValidate: LeafCommand = {
  usage: "validate",
  summary: "Validate criteria: prints every error with its path, exits 5 if there is one.",
  examples: ["headwater audiences validate -f criteria.json"],
  options: addCriteria,
  run: async (call, _args, received) => count(call, received, { explain: true }, () => showOne(call, { valid: true })),
};

/** Adds how a count of the past is made. */
export function addBasis(command: Command): Command {
  const about = "with --as-of: everything as recorded then (default), or today's contacts with the events before it";
  return command.addOption(new Option("--basis <basis>", about).choices(["recorded", "event"]));
}

function addCriteria(command: Command): Command {
  return addDryRun(
    addBasis(
      command
        .requiredOption(
          "-f, --file <file>",
          "the criteria as JSON, bare or as the member `criteria`; - for standard input",
        )
        .option("--as-of <time>", "count as of this moment; default now"),
    )
      .option("--timezone <zone>", "of days and dates; default the account's")
      .option("--sample <n>", "show so many cIDs too")
      .option("--after <receipt>", "wait until what this receipt is of can be read"),
  );
}

async function count(call: Call, given: unknown, more: Members, show: (answer: Members) => void): Promise<void> {
  const { file, after, asOf, basis, timezone, sample } = parseWith(schema, given);
  const criteria = await readCriteria(call, file);
  const options = Object.entries({ asOf, basis, timezone, sampleSize: sample }).filter(
    ([, value]) => value !== undefined,
  );
  const body = { ...criteria, ...Object.fromEntries(options), ...more };
  if (call.options.dryRun) return showRequest(call, { method: "POST", path: "/v2/audiencecount", body });
  show(await askCount(call.service(), body, after));
}

export async function readCriteria(call: Pick<Call, "terminal">, file: string): Promise<Members> {
  const document = await readDocument(file, call.terminal);
  if (isMembers(document)) return document;
  throw validationError(`${file} must contain criteria as a JSON object.`);
}

export async function askCount(service: ServiceClient, body: Members, after?: string): Promise<Members> {
  const answer = await service.call("countAudience", { body, query: { after } });
  return isMembers(answer.body) ? answer.body : {};
}
