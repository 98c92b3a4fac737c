import { safeParse } from "@headwater/kernel";
import { type Command, Option } from "commander";
import { z } from "zod";
import { usageError } from "./failure.ts";
import { formats } from "./output/formats.ts";

const schema = z
  .object({
    output: z.enum(formats).optional(),
    json: z.boolean().default(false),
    fields: z.string().optional(),
    verbose: z.boolean().default(false),
    yes: z.boolean().default(false),
    dryRun: z.boolean().default(false),
    preview: z.boolean().default(false),
    profile: z.string().optional(),
    tracing: z.boolean().default(false),
  })
  .transform(({ output, json, fields, ...rest }) => ({
    ...rest,
    format: json ? ("json" as const) : (output ?? "table"),
    isFormatTyped: json || output !== undefined,
    fields: fields?.split(",").map((name) => name.trim()),
  }));

/** Options that mean the same in every command. */
export type CommonOptions = z.output<typeof schema>;

export function addCommonOptions(program: Command): Command {
  return program
    .option("--profile <name>", "use the address and the key that login stored under this name")
    .addOption(new Option("-o, --output <format>", "form of the data").choices(formats))
    .option("--json", "short for -o json")
    .option("--fields <names>", "only these members, separated by commas")
    .option("-V, --verbose", "show each step and whole errors on standard error")
    .option("-T, --tracing", "trace the requests (W3C traceparent), and say the trace's id on standard error");
}

export function addYes(command: Command): Command {
  return command.option("-y, --yes", "do not ask");
}

export function addDryRun(command: Command, about = "show what would be done, and do nothing"): Command {
  return command.option("--dry-run", about);
}

export function addPreview(command: Command): Command {
  return command.option("--preview", "ask the service what the command would change, and change nothing");
}

export function parseOptions(input: unknown): CommonOptions {
  return parseWith(schema, input);
}

/** Options of one command. Commander has checked what can be typed; this gives them their types. */
export function parseWith<Schema extends z.ZodType>(options: Schema, provided: unknown): z.output<Schema> {
  const parsed = safeParse(options, provided);
  if (parsed.success) return parsed.data;
  throw usageError(parsed.error.issues.map(({ path, message }) => `${optionAt(path)} ${message}`).join("; "));
}

/** The option as it is typed: `--base-url`. */
function optionAt(path: readonly PropertyKey[]): string {
  return `--${path.join(".").replace(/[A-Z]/g, (deadLetter) => `-${deadLetter.toLowerCase()}`)}`;
}
