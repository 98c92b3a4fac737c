import { requestOf } from "@headwater/api-client";
import { safeParse } from "@headwater/kernel";
import { type Command, Option } from "commander";
import { z } from "zod";
import type { CallOf } from "../call.ts";
import { addDryRun, parseWith } from "../options.ts";
import { addDestination } from "../requests/destination.ts";
import { addInput, isMembers, readInput } from "../requests/readInput.ts";
import { addTimeout } from "../requests/wait.ts";
import { addGroup, addLeaf, type LeafCommand } from "./command.ts";
import { exportLog } from "./exportLog.ts";
import { exportMessages } from "./exportMessages.ts";
import { exportContacts, exportEvents, exportOrders } from "./exportRows.ts";
import { runExport } from "./runExport.ts";
import { addTimeframe, timeframeOf } from "./timeframe.ts";

const TREND_GRAINS = ["hour", "day", "week", "month"] as const;
const TREND_FORMS = ["csv", "txt", "json", "jsonl"] as const;
const schema = z.object({
  form: z.enum(["json", "jsonl"]).default("jsonl"),
  out: z.string().optional(),
  idempotencyKey: z.string().min(1).optional(),
});

const exportProfile: LeafCommand = {
  usage: "profile <contact>",
  summary: "Export all data of a contact: starts the job, waits for it and downloads the file.",
  examples: [
    "headwater export profile ada@example.com > ada.jsonl",
    "headwater export profile customer_id:17850 --form json --out ada.json",
  ],
  options: (command) =>
    addDryRun(
      addTimeout(
        addDestination(command)
          .addOption(new Option("--form <form>", "of the file").choices(["json", "jsonl"]).default("jsonl"))
          .option("--out <file>", "write it there; default standard output")
          .option("--idempotency-key <key>", "makes a retry of this command safe; default: a new key"),
      ),
    ),
  async run(call, [contact = ""], input) {
    const { form, out, idempotencyKey } = parseWith(schema, input);
    const request = requestOf("downloadContactprofile", {
      path: [contact],
      body: { exportType: form },
      idempotencyKey,
    });
    await runExport(call, { request, given: input, out });
  },
};

const trendSchema = z.object({
  from: z.string().optional(),
  to: z.string().optional(),
  grain: z.enum(TREND_GRAINS).optional(),
  segmentBy: z.string().optional(),
  form: z.enum(TREND_FORMS).optional(),
  out: z.string().optional(),
  idempotencyKey: z.string().min(1).optional(),
});

const timeframeShape = z.object({ start: z.string().optional(), end: z.string().optional() });

const exportAudiences: LeafCommand = {
  usage: "audiences [keys...]",
  summary: "Export how many contacts audiences had over time: starts the job, waits for it and downloads the files.",
  examples: [
    "headwater export audiences vip engaged --from 2026-01-01 --to 2026-04-01 > trend.csv",
    "headwater export audiences --file trend.json --grain week --segment-by country --form jsonl",
  ],
  options: (command) =>
    addDryRun(
      addTimeout(
        addTimeframe(addInput(addDestination(command)))
          .addOption(new Option("--grain <grain>", "of the rows; default day").choices(TREND_GRAINS))
          .option("--segment-by <path>", "`country`, `list` or a field")
          .addOption(new Option("--form <form>", "of the file; default csv").choices(TREND_FORMS))
          .option("--out <file>", "write it there; default standard output")
          .option("--idempotency-key <key>", "makes a retry of this command safe; default: a new key"),
      ),
    ),
  async run(call, keys, provided) {
    const { from, to, grain, segmentBy, form, out, idempotencyKey } = parseWith(trendSchema, provided);
    const typed = Object.entries({
      ...{ exportType: form, audiences: keys.length > 0 ? keys : undefined },
      ...{ "timeframe.start": from, "timeframe.end": to, grain, segmentBy },
    }).filter(([, value]) => value !== undefined);
    const body = withTrendDefaults(await readInput(call, provided, typed));
    await runExport(call, {
      request: requestOf("createAudiencetrendsexport", { body, idempotencyKey }),
      given: provided,
      out,
    });
  },
};

/** Completes what neither the file nor the options name. Without any timeframe the service takes what is recorded of the last 90 days. */
function withTrendDefaults(body: unknown): unknown {
  if (body !== undefined && !isMembers(body)) return body;
  const { timeframe } = body ?? {};
  if (!isMembers(timeframe)) return { exportType: "csv", ...body };
  const read = safeParse(timeframeShape, timeframe);
  if (!read.success) return body;
  const { start: from, end: to } = read.data;
  return { exportType: "csv", ...body, timeframe: { ...timeframe, ...timeframeOf({ from, to }) } };
}

export function addExport(program: Command, callOf: CallOf): void {
  const group = addGroup(
    program,
    "export",
    "Fetch what is stored as files. Lists are exported by `--all -o ndjson` of their commands.",
  );
  addLeaf(group, exportContacts, callOf);
  addLeaf(group, exportEvents, callOf);
  addLeaf(group, exportOrders, callOf);
  addLeaf(group, exportLog, callOf);
  addLeaf(group, exportProfile, callOf);
  addLeaf(group, exportAudiences, callOf);
  addLeaf(group, exportMessages, callOf);
}
