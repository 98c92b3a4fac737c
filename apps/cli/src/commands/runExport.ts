import type { Row, ServiceRequest } from "@headwater/api-client";
import type { Call } from "../call.ts";
import { showOne } from "../output/show.ts";
import { isMembers } from "../requests/readInput.ts";
import { showRequest } from "../requests/run.ts";
import { followJob, waitOf } from "../requests/wait.ts";
import { checkPlace, downloadFiles } from "./downloadFiles.ts";

export interface ExportRun {
  readonly request: ServiceRequest;
  /** Options as they were typed. */
  readonly given: unknown;
  /** File to write; absent: standard output. */
  readonly out: string | undefined;
}

/**
 * Starts an export, follows its job and fetches its files; with `--dry-run` it shows the request alone. An output format that was typed
 * (`--json`) is the job's: then standard output holds the job, and the files are fetched only into a file that is named.
 * @returns the job when it is done and its files were fetched.
 */
export async function runExport(call: Call, { request, given, out }: ExportRun): Promise<Row | undefined> {
  if (call.options.dryRun) {
    showRequest(call, request);
    return undefined;
  }
  if (out !== undefined) await checkPlace(out);
  const service = call.service();
  const { body } = await service.request(request);
  const id = isMembers(body) ? String(body.jobId) : "";
  const job = await followJob(call, service, { id, timeoutMs: waitOf(given).timeoutMs });
  const isDone = job.status === "Done";
  const { isFormatTyped } = call.options;
  const isFetched = out !== undefined || !isFormatTyped;
  if (isDone && isFetched) await downloadFiles(call, job, out);
  else if (isDone) call.terminal.say("The job has links to its files; --out downloads them.");
  if (isFormatTyped) showOne(call, job);
  return isDone && isFetched ? job : undefined;
}
