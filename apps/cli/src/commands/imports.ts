import { createReadStream, createWriteStream, openAsBlob } from "node:fs";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { members, type OperationId, type Row, type ServiceClient } from "@headwater/api-client";
import { type Command, Option } from "commander";
import { z } from "zod";
import { unreadable } from "../accounts/readDocument.ts";
import type { Call, CallOf } from "../call.ts";
import { usageError } from "../failure.ts";
import { addDryRun, parseWith } from "../options.ts";
import { showOne } from "../output/show.ts";
import { toText } from "../output/text.ts";
import { collect, isMembers, jsonPairOf } from "../requests/readInput.ts";
import { addTimeout, followJob, waitOf } from "../requests/wait.ts";
import type { Terminal } from "../terminal.ts";
import { addGroup, addLeaf, type LeafCommand } from "./command.ts";

const DISPLAYED_REJECTIONS = 20;
/** Columns that a dry run shows on standard error; its job has all of them. */
const COLUMNS_DISPLAYED = 100;

const decimals = [".", ","] as const;

const schema = z.object({
  file: z.string(),
  header: z.boolean().default(true),
  columns: z.string().optional(),
  delimiter: z.string().optional(),
  encoding: z.string().optional(),
  decimal: z.enum(decimals).optional(),
  dateFormat: z.string().optional(),
  nullMarker: z.string().optional(),
  emptyCells: z.literal("store").optional(),
  strategy: z.enum(["insertOnly", "updateOnly", "upsert"]).optional(),
  stopAfterRejections: z.coerce.number().int().min(0).optional(),
  triggers: z.boolean().default(false),
  map: z.array(z.string()).default([]),
  formulaSafe: z.boolean().default(false),
  trial: z.boolean().default(false),
  setJson: z.array(z.string()).default([]),
});

const kinds = [
  {
    usage: "activities",
    operation: "createActivityimport",
    what: "activities from CSV, JSON, Parquet or a workbook (.xlsx)",
  },
  {
    usage: "contacts",
    operation: "createContactimport",
    what: "contacts from CSV, JSON, Parquet or a workbook (.xlsx)",
  },
  { usage: "orders", operation: "createOrdersimport", what: "orders from JSON" },
  {
    usage: "products",
    operation: "createProductimport",
    what: "products from CSV, JSON, Parquet or a workbook (.xlsx)",
  },
  {
    usage: "records <table>",
    operation: "createSupplementimport",
    what: "records of a supplement table, from the same forms as contacts",
  },
] as const satisfies readonly { usage: string; operation: OperationId; what: string }[];

export function addImport(program: Command, callOf: CallOf): void {
  const group = addGroup(
    program,
    "import",
    "Upload a file, import it, and follow the job; exit 1 if rows were rejected, 7 if it failed.",
  );
  for (const kind of kinds) addLeaf(group, leafOf(kind), callOf);
}

function leafOf({ usage, operation, what }: (typeof kinds)[number]): LeafCommand {
  const [name = ""] = usage.split(" ");
  const command = name === "records" ? "records cars" : name;
  return {
    usage,
    summary: `Import ${what}.`,
    examples: [
      `headwater import ${command} -f ${name}.csv`,
      `headwater import ${command} -f ${name}.csv --decimal , --date-format dd.mm.yyyy --dry-run`,
    ],
    options: addOptions,
    run: (call, path, input) => runImport(call, { operation, path }, input),
  };
}

/** `import records` where its table is at home. */
export const supplementsRecordsImport: LeafCommand = {
  ...leafOf(kinds[4]),
  usage: "import <table>",
  examples: ["headwater supplements records import cars -f records.csv"],
};

function addOptions(command: Command): Command {
  return addDryRun(
    addTimeout(
      command
        .requiredOption("-f, --file <file>", "the file to import; - reads standard input")
        .option("--no-header", "the first row is data: name the columns with --columns")
        .option("--columns <names>", "names of the columns, separated by commas")
        .option("--delimiter <character>", "between cells, or comma, semicolon, tab, pipe, blanks; default: detected")
        .option("--encoding <name>", "of the file's text, such as windows-1252; default: detected")
        .addOption(
          new Option("--decimal <sign>", "before the fraction of numbers: , reads 1.234,50 as 1234.5").choices(
            decimals,
          ),
        )
        .option("--date-format <form>", "of dates: dd.mm.yyyy, m/d/yy, dd.mm.yyyy hh:mm; default: ISO 8601")
        .option("--null-marker <text>", "a cell that says this removes the value")
        .addOption(new Option("--empty-cells <what>", "store empty texts; default: change nothing").choices(["store"]))
        .addOption(
          new Option("--strategy <strategy>", "default upsert").choices(["insertOnly", "updateOnly", "upsert"]),
        )
        .option("--stop-after-rejections <n>", "write no more rows once more than n are rejected, and fail")
        .option("--triggers", "rows may start automations; default: they start none")
        .option("--map <column=member>", "the member of a column, or nothing to leave it out; may be repeated", collect)
        .option("--formula-safe", "remove the ' that an export put before what looks like a formula")
        .addOption(new Option("--trial", "former name of --dry-run").hideHelp())
        .option("--set-json <member=json>", "any other member of the import's body; may be repeated", collect),
    ),
    "upload the file, check all rows and write nothing",
  );
}

interface Importing {
  readonly operation: OperationId;
  readonly path: readonly string[];
}

/**
 * Runs the work with the file that is named. Standard input and pipes (`-f <(zcat …)`) are kept in a file meanwhile: an upload that
 * breaks off goes on from its middle.
 * @throws HeadwaterError `USAGE` for a file that cannot be read.
 */
async function withFile<Result>(
  terminal: Terminal,
  named: string,
  work: (file: string) => Promise<Result>,
): Promise<Result> {
  if (named !== "-" && (await isPlainFile(named))) return work(named);
  const folder = await mkdtemp(join(tmpdir(), "headwater-import-"));
  try {
    const file = join(folder, named === "-" ? "stdin" : "pipe");
    const bytes = named === "-" ? terminal.readBytes() : createReadStream(named);
    await pipeline(bytes, createWriteStream(file, { mode: 0o600 }));
    return await work(file);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function isPlainFile(file: string): Promise<boolean> {
  const found = await stat(file).catch((cause: unknown) => {
    throw unreadable(file, cause);
  });
  if (found.isDirectory()) throw unreadable(file, "it is a folder");
  return found.isFile();
}

async function openFile(file: string): Promise<Blob> {
  try {
    return await openAsBlob(file);
  } catch (cause) {
    throw unreadable(file, cause);
  }
}

async function runImport(call: Call, { operation, path }: Importing, provided: unknown): Promise<void> {
  const options = parseWith(schema, provided);
  if (options.trial) call.terminal.say("--trial is deprecated: use --dry-run.");
  const isDryRun = call.options.dryRun || options.trial;
  const body = { ...bodyOf(options), ...(isDryRun && { dryRun: true }) };
  const service = call.service();
  const upload = await withFile(call.terminal, options.file, async (file) => {
    const opened = await openFile(file);
    call.terminal.say(`Uploading ${opened.size} bytes.`);
    return service.upload(opened, { name: basename(file) });
  });
  const source = { transport: "file", path: upload };
  const { body: started } = await service.call(operation, { path, body: { source, ...body } });
  const id = isMembers(started) ? String(started.jobId) : "";
  const job = await followJob(call, service, { id, timeoutMs: waitOf(provided).timeoutMs });
  if (job.status === "Done" && rejectedOf(job) > 0) call.fail();
  showColumns(call, job);
  await showRejections(call, service, { id, job });
  showOne(call, job, members.getJob);
}

function bodyOf(options: z.output<typeof schema>): object {
  const { header, columns, delimiter, encoding, decimal, dateFormat, nullMarker, emptyCells } = options;
  const { strategy, stopAfterRejections, triggers, map, formulaSafe, setJson } = options;
  return {
    ...(header && { hasHeader: true }),
    ...(columns !== undefined && { columns: columns.split(",") }),
    ...(delimiter !== undefined && { delimiter }),
    ...(encoding !== undefined && { encoding }),
    ...(decimal !== undefined && { decimal }),
    ...(dateFormat !== undefined && { dateFormat }),
    ...(nullMarker !== undefined && { nullMarker }),
    ...(emptyCells !== undefined && { emptyCells }),
    ...(strategy !== undefined && { strategy }),
    ...(stopAfterRejections !== undefined && { stopAfterRejections }),
    ...(triggers && { suppressTriggers: false }),
    ...(map.length > 0 && { mapping: Object.fromEntries(map.map(mappingOf)) }),
    ...(formulaSafe && { formulaSafe: true }),
    ...Object.fromEntries(setJson.map(jsonPairOf)),
  };
}

/** The name of a column may hold anything but its last `=`. */
function mappingOf(text: string): [column: string, member: string | null] {
  const at = text.lastIndexOf("=");
  if (at < 0) throw usageError(`--map takes <column>=<member>, such as --map 'E-Mail=email': ${text}`);
  return [text.slice(0, at), text.slice(at + 1) || null];
}

/** Says what each column of a dry run becomes, with its types and three values, and what looks wrong with it. */
function showColumns({ terminal }: Call, { metadata }: Row): void {
  const columns = isMembers(metadata) && Array.isArray(metadata.columns) ? metadata.columns.filter(isMembers) : [];
  for (const { column, member, types, values, warning } of columns.slice(0, COLUMNS_DISPLAYED)) {
    const target = typeof member === "string" ? `${member} (${toText(types) || "no values"})` : "left out";
    const view = Array.isArray(values) ? values.map((value) => JSON.stringify(value)).join(", ") : "";
    terminal.say(`column ${JSON.stringify(column)} -> ${target}${view === "" ? "" : `: ${view}`}`);
    if (isMembers(warning)) terminal.say(`  warning: ${String(warning.message)} (${String(warning.code)})`);
  }
  if (columns.length > COLUMNS_DISPLAYED) terminal.say(`… and ${columns.length - COLUMNS_DISPLAYED} more columns`);
}

function rejectedOf({ result }: Row): number {
  const { rejected = 0, error = 0 } = isMembers(result) ? result : {};
  return Number(rejected) + Number(error);
}

/** Shows the first rejected rows on standard error; `jobs rejections` lists all of them. */
async function showRejections(
  { terminal }: Call,
  service: ServiceClient,
  { id, job }: { readonly id: string; readonly job: Row },
): Promise<void> {
  const rejected = rejectedOf(job);
  if (!(rejected > 0)) return;
  const { body } = await service.call("listJobrejections", { path: [id], query: { per_page: DISPLAYED_REJECTIONS } });
  const rows = isMembers(body) && Array.isArray(body.data) ? body.data.filter(isMembers) : [];
  for (const { line, code, message, record } of rows) {
    terminal.say(`line ${String(line)}: ${String(code)} ${String(message)}`);
    if (record !== undefined && record !== null) terminal.say(`  ${recordText(record)}`);
  }
  if (rejected > rows.length) terminal.say(`… and ${rejected - rows.length} more: headwater jobs rejections ${id}`);
}

const RECORD_CHARACTERS_DISPLAYED = 500;

function recordText(record: unknown): string {
  const text = typeof record === "string" ? record : JSON.stringify(record);
  return text.length > RECORD_CHARACTERS_DISPLAYED
    ? `${text.slice(0, RECORD_CHARACTERS_DISPLAYED).toWellFormed()}…`
    : text;
}
