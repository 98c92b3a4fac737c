import { writeFile } from "node:fs/promises";
import type { Row, ServiceClient, ServiceRequest } from "@headwater/api-client";
import { HeadwaterError } from "@headwater/kernel";
import type { Call } from "../call.ts";
import { isMembers } from "../requests/readInput.ts";
import { showRequest } from "../requests/run.ts";
import { followJob, waitOf } from "../requests/wait.ts";

const OWNER_ONLY = 0o600;

export interface ExportRun {
  readonly request: ServiceRequest;
  /** Options as they were typed. */
  readonly given: unknown;
  /** File to write; absent: standard output. */
  readonly out: string | undefined;
}

/** Starts an export, follows its job and fetches its files; with `--dry-run` it shows the request alone. */
export async function runExport(call: Call, { request, given, out }: ExportRun): Promise<void> {
  if (call.options.dryRun) return showRequest(call, request);
  const service = call.service();
  const { body } = await service.request(request);
  const id = isMembers(body) ? String(body.jobId) : "";
  const job = await followJob(call, service, { id, timeoutMs: waitOf(given).timeoutMs });
  if (job.status === "Done") await fetchFiles(call, { service, job, out });
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
