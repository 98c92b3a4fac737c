import { requestOf } from "@headwater/api-client";
import { logCategories, logLevels } from "@headwater/contracts";
import { Option } from "commander";
import { z } from "zod";
import { addDryRun, parseWith } from "../options.ts";
import { isMembers } from "../requests/readInput.ts";
import { showRequest } from "../requests/run.ts";
import { addTimeout, followJob, waitOf } from "../requests/wait.ts";
import type { LeafCommand } from "./command.ts";
import { downloadFiles } from "./downloadFiles.ts";

const FORMS = ["csv", "txt", "json", "jsonl", "parquet"] as const;
const schema = z.object({
  from: z.string(),
  to: z.string(),
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
    "headwater export log --from 2026-01-01 --to 2026-02-01 > log.jsonl",
    "headwater export log --from 2026-01-01 --to 2026-02-01 --level Warning --form csv --out log.csv",
  ],
  options: (command) =>
    addDryRun(
      addTimeout(
        command
          .requiredOption("--from <time>", "entries at or after")
          .requiredOption("--to <time>", "entries before")
          .addOption(new Option("--level <level>", "this level and graver ones").choices(logLevels))
          .addOption(new Option("--category <category>", "of this category").choices(logCategories))
          .addOption(new Option("--form <form>", "of the file").choices(FORMS).default("jsonl"))
          .option("--out <file>", "write it there; default standard output")
          .option("--idempotency-key <key>", "makes a retry of this command safe; default: a new key"),
      ),
    ),
  async run(call, _args, given) {
    const { from, to, level, category, form, out, idempotencyKey } = parseWith(schema, given);
    const filters = { selected_level: level, selected_category: category };
    const body = { timeframe: { start: from, end: to }, exportType: form, ...filters };
    const request = requestOf("createLogexport", { body, idempotencyKey });
    if (call.options.dryRun) return showRequest(call, request);
    const service = call.service();
    const { body: started } = await service.request(request);
    const id = isMembers(started) ? String(started.jobId) : "";
    const job = await followJob(call, service, { id, timeoutMs: waitOf(given).timeoutMs });
    if (job.status === "Done") await downloadFiles(call, job, out);
  },
};
