import { writeFile } from "node:fs/promises";
import type { Row, ServiceClient } from "@headwater/api-client";
import { requestOf } from "@headwater/api-client";
import { HeadwaterError } from "@headwater/kernel";
import { type Command, Option } from "commander";
import { z } from "zod";
import type { Call, CallOf } from "../call.ts";
import { addDryRun, parseWith } from "../options.ts";
import { addInput, isMembers, readInput } from "../requests/readInput.ts";
import { showRequest } from "../requests/run.ts";
import { addTimeout, followJob, waitOf } from "../requests/wait.ts";
import { addGroup, addLeaf, type LeafCommand } from "./command.ts";
import { exportLog } from "./exportLog.ts";
import { exportContacts, exportEvents } from "./exportRows.ts";

const OWNER_ONLY = 0o600;
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
        command
          .addOption(new Option("--form <form>", "of the file").choices(["json", "jsonl"]).default("jsonl"))
          .option("--out <file>", "write it there; default standard output")
          .option("--idempotency-key <key>", "makes a retry of this command safe; default: a new key"),
      ),
    ),
  async run(call, [contact = ""], given) {
    const { form, out, idempotencyKey } = parseWith(schema, given);
    const request = requestOf("downloadContactprofile", {
      path: [contact],
      body: { exportType: form },
      idempotencyKey,
    });
    if (call.options.dryRun) return showRequest(call, request);
    const service = call.service();
    const { body } = await service.request(request);
    const id = isMembers(body) ? String(body.jobId) : "";
    const job = await followJob(call, service, { id, timeoutMs: waitOf(given).timeoutMs });
    if (job.status === "Done") await fetchFiles(call, { service, job, out });
  },
};

const trendSchema = z.object({
  from: z.string().optional(),
  to: z.string().optional(),
  grain: z.enum(TREND_GRAINS).optional(),
  segmentBy: z.string().optional(),
  form: z.enum(TREND_FORMS).default("csv"),
  out: z.string().optional(),
  idempotencyKey: z.string().min(1).optional(),
});

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
        addInput(command)
          .option("--from <moment>", "start; default 90 days ago")
          .option("--to <moment>", "end; default now")
          .addOption(new Option("--grain <grain>", "of the rows; default day").choices(TREND_GRAINS))
          .option("--segment-by <path>", "`country`, `list` or a field")
          .addOption(new Option("--form <form>", "of the file").choices(TREND_FORMS).default("csv"))
          .option("--out <file>", "write it there; default standard output")
          .option("--idempotency-key <key>", "makes a retry of this command safe; default: a new key"),
      ),
    ),
  async run(call, keys, given) {
    const { from, to, grain, segmentBy, form, out, idempotencyKey } = parseWith(trendSchema, given);
    const members = [
      ["exportType", form],
      ...(keys.length > 0 ? [["audiences", keys] as const] : []),
      ...Object.entries({ "timeframe.start": from, "timeframe.end": to, grain, segmentBy }),
    ] as const;
    const said = members.filter(([, value]) => value !== undefined);
    const body = await readInput(call, given, said);
    const request = { method: "POST" as const, path: "/v2/audiencetrendsexport", body, idempotencyKey };
    if (call.options.dryRun) return showRequest(call, request);
    const service = call.service();
    const { body: started } = await service.request(request);
    const id = isMembers(started) ? String(started.jobId) : "";
    const job = await followJob(call, service, { id, timeoutMs: waitOf(given).timeoutMs });
    if (job.status === "Done") await fetchFiles(call, { service, job, out });
  },
};

export function addExport(program: Command, callOf: CallOf): void {
  const group = addGroup(
    program,
    "export",
    "Fetch what is stored as files. Lists are exported by `--all -o ndjson` of their commands.",
  );
  addLeaf(group, exportContacts, callOf);
  addLeaf(group, exportEvents, callOf);
  addLeaf(group, exportLog, callOf);
  addLeaf(group, exportProfile, callOf);
  addLeaf(group, exportAudiences, callOf);
}

interface Fetching {
  readonly service: ServiceClient;
  readonly job: Row;
  readonly out: string | undefined;
}

async function fetchFiles({ terminal }: Call, { service, job, out }: Fetching): Promise<void> {
  const files =
    isMembers(job.metadata) && Array.isArray(job.metadata.files) ? job.metadata.files.filter(isMembers) : [];
  const texts: string[] = [];
  for (const { url } of files) texts.push((await service.request({ method: "GET", path: pathOf(url) })).text);
  if (out === undefined) return terminal.out(texts.join(""));
  await writeFile(out, texts.join(""), { mode: OWNER_ONLY });
  terminal.say(`Written to ${out}.`);
}

/** Links are of the API's own address, which commands know: only the path is taken from them. */
function pathOf(url: unknown): string {
  const parsed = URL.parse(String(url), "https://api.invalid");
  if (parsed !== null) return `${parsed.pathname}${parsed.search}`;
  throw new HeadwaterError({
    code: "INTERNAL_ERROR",
    status: 500,
    publicMessage: "The job names a file without a link.",
  });
}
