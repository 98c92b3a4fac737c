import { requestOf } from "@headwater/api-client";
import { logCategories, logLevels } from "@headwater/contracts";
import { Option } from "commander";
import { z } from "zod";
import { addDryRun, parseWith } from "../options.ts";
import { addDestination } from "../requests/destination.ts";
import { addTimeout } from "../requests/wait.ts";
import type { LeafCommand } from "./command.ts";
import { runExport } from "./runExport.ts";
import { addTimeframe, timeframeOf } from "./timeframe.ts";

const FORMS = ["csv", "txt", "json", "jsonl", "parquet"] as const;
const schema = z.object({
  from: z.string().optional(),
  to: z.string().optional(),
  level: z.enum(logLevels).optional(),
  category: z.enum(logCategories).optional(),
  form: z.enum(FORMS).default("jsonl"),
  out: z.string().optional(),
  idempotencyKey: z.string().min(1).optional(),
});

export const exportLog: LeafCommand = {
  usage: "log",
  summary: "Export the account's log: starts the job, waits for it and downloads its files.",
  examples: [
    "headwater export log --level Error",
    "headwater export log --from 2026-01-01 --to 2026-02-01 > log.jsonl",
    "headwater export log --from 2026-01-01 --to 2026-02-01 --level Warning --form csv --out log.csv",
  ],
  options: (command) =>
    addDryRun(
      addTimeout(
        addTimeframe(addDestination(command))
          .addOption(new Option("--level <level>", "this level and graver ones").choices(logLevels))
          .addOption(new Option("--category <category>", "of this category").choices(logCategories))
          .addOption(new Option("--form <form>", "of the file").choices(FORMS).default("jsonl"))
          .option("--out <file>", "write it there; default standard output")
          .option("--idempotency-key <key>", "makes a retry of this command safe; default: a new key"),
      ),
    ),
  async run(call, _args, input) {
    const { from, to, level, category, form, out, idempotencyKey } = parseWith(schema, input);
    const filters = { selected_level: level, selected_category: category };
    const body = { timeframe: timeframeOf({ from, to }), exportType: form, ...filters };
    await runExport(call, { request: requestOf("createLogexport", { body, idempotencyKey }), given: input, out });
  },
};
