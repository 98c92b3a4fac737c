import type { Row } from "@headwater/api-client";
import { requestOf } from "@headwater/api-client";
import { type Command, Option } from "commander";
import { z } from "zod";
import type { Call } from "../call.ts";
import { addDryRun, parseWith } from "../options.ts";
import { addDestination } from "../requests/destination.ts";
import { isMembers } from "../requests/readInput.ts";
import { addTimeout } from "../requests/wait.ts";
import { forgetfulMarks, storedMarks } from "../settings/exportMarks.ts";
import { readCriteria } from "./audiencesCount.ts";
import type { LeafCommand } from "./command.ts";
import { runExport } from "./runExport.ts";

const FORMS = ["csv", "txt", "json", "jsonl", "parquet"] as const;
const names = z.string().transform((text) => text.split(",").map((name) => name.trim()));
const shared = {
  form: z.enum(FORMS).default("csv"),
  compression: z.string().optional(),
  since: z.string().optional(),
  out: z.string().optional(),
  idempotencyKey: z.string().min(1).optional(),
};
const ofContacts = z.object({
  ...shared,
  fields: names.default(["*"]),
  lists: names.optional(),
  audience: z.string().optional(),
  file: z.string().optional(),
  asOf: z.string().optional(),
});
const ofEvents = z.object({
  ...shared,
  from: z.string().optional(),
  to: z.string().optional(),
  actions: names.optional(),
  audience: z.string().optional(),
  contact: z.string().optional(),
  sort: z.literal("time").optional(),
});

const ofOrders = z.object({ ...shared, from: z.string().optional(), to: z.string().optional() });

export const exportContacts: LeafCommand = {
  usage: "contacts",
  summary: "Export contacts with their values: starts the job, waits for it and downloads its files.",
  examples: [
    "headwater export contacts --columns cID,channels.email.address,lists > contacts.csv",
    "headwater export contacts --audience vip --form parquet --out vip.parquet",
    "headwater export contacts --since last --out changed.csv",
  ],
  options: (command) =>
    addShared(command)
      .option("--columns <names>", "comma list of fields; default all")
      .option("--lists <names>", "comma list: a membership column for each")
      .option("--audience <key>", "only the contacts of a saved audience")
      .option("-f, --file <file>", "only those who meet the criteria in this JSON file; - for standard input")
      .option("--as-of <time>", "contacts and values as of this time"),
  async run(call, _args, input) {
    const members = { ...Object(input), fields: Object(input).columns };
    const { form, compression, fields, lists, audience, file, asOf, ...run } = parseWith(ofContacts, members);
    const criteria = file === undefined ? undefined : await readCriteria(call, file);
    const who = { lists, "audience-key": audience, criteria, asOf };
    await exportRows(call, input, {
      operation: "createContactexport",
      body: { fields, exportType: form, compression, ...who },
      ...run,
    });
  },
};

export const exportEvents: LeafCommand = {
  usage: "events",
  summary: "Export activities: starts the job, waits for it and downloads its files.",
  examples: [
    "headwater export events --from 2026-01-01 --to 2026-02-01 --form jsonl > january.jsonl",
    "headwater export events --since last --form jsonl --out new.jsonl",
  ],
  options: (command) =>
    addShared(command)
      .option("--from <time>", "those that happened then or later")
      .option("--to <time>", "those that happened before")
      .option("--actions <names>", "comma list; `custom`: all that are not reserved")
      .option("--audience <key>", "only of the contacts of a saved audience")
      .option("--contact <key>", "only of one contact")
      .addOption(new Option("--sort <by>", "default: each contact's by time").choices(["time"])),
  async run(call, _args, provided) {
    const { form, compression, from, to, actions, audience, contact, sort, ...run } = parseWith(ofEvents, provided);
    const filters = { selected_timeframe_start: from, selected_timeframe_end: to, selected_action_names: actions };
    const whose = { selected_audience_key: audience, selected_contact: contact, sort };
    await exportRows(call, provided, {
      operation: "createActivityexport",
      body: { exportType: form, compression, ...filters, ...whose },
      ...run,
    });
  },
};

export const exportOrders: LeafCommand = {
  usage: "orders",
  summary: "Export orders: starts the job, waits for it and downloads its files.",
  examples: [
    "headwater export orders --from 2026-01-01 --to 2026-02-01 > january.csv",
    "headwater export orders --since last --form jsonl --out changed.jsonl",
  ],
  options: (command) =>
    addShared(command)
      .option("--from <time>", "those that were purchased then or later")
      .option("--to <time>", "those that were purchased before"),
  async run(call, _args, received) {
    const { form, compression, from, to, ...run } = parseWith(ofOrders, received);
    const timeframe = { selected_timeframe_start: from, selected_timeframe_end: to };
    await exportRows(call, received, {
      operation: "createOrdersexport",
      body: { exportType: form, compression, ...timeframe },
      ...run,
    });
  },
};

function addShared(command: Command): Command {
  return addDryRun(
    addTimeout(
      addDestination(command)
        .addOption(new Option("--form <form>", "of the file").choices(FORMS).default("csv"))
        .option("--compression <codec>", "gzip or zstd, of Parquet also snappy")
        .option("--since <token>", "only what came after this watermark; `last`: after that of the last good run")
        .option("--out <file>", "write it there; default standard output")
        .option("--idempotency-key <key>", "makes a retry of this command safe; default: a new key"),
    ),
  );
}

interface Exporting {
  readonly operation: "createContactexport" | "createActivityexport" | "createOrdersexport";
  readonly body: Readonly<Record<string, unknown>>;
  readonly since?: string | undefined;
  readonly out?: string | undefined;
  readonly idempotencyKey?: string | undefined;
}

/** Activities without a watermark have a timeframe. */
const EVER = Object.entries({
  selected_timeframe_start: "1970-01-01T00:00:00Z",
  selected_timeframe_end: "2200-01-01T00:00:00Z",
});

/** Keeps the watermark of a run only when all of its files are there: the next one goes on from it. */
async function exportRows(call: Call, given: unknown, exporting: Exporting): Promise<void> {
  const { operation, body, since, out, idempotencyKey } = exporting;
  const marks = since === "last" ? storedMarks(call.env) : forgetfulMarks;
  const key = `${call.settings.profileName} ${operation}`;
  const token = since === "last" ? marks.read(key) : since;
  const isFirst = since === "last" && token === undefined;
  const said = Object.entries({ ...body, since: token }).filter(([, value]) => value !== undefined);
  const members = [...(isFirst && operation === "createActivityexport" ? EVER : []), ...said];
  const request = requestOf(operation, { body: Object.fromEntries(members), idempotencyKey });
  if (isFirst && !call.options.dryRun) call.terminal.say("No earlier run is recorded: everything is exported.");
  const job = await runExport(call, { request, given, out });
  const mark = job && markOf(job);
  if (mark !== undefined) marks.keep(key, mark);
}

function markOf({ metadata }: Row): string | undefined {
  const watermark = isMembers(metadata) ? metadata.watermark : undefined;
  return isMembers(watermark) && typeof watermark.token === "string" ? watermark.token : undefined;
}
