import { members, type Row, type ServiceRequest } from "@headwater/api-client";
import type { Call } from "../call.ts";
import { usageError } from "../failure.ts";
import { showOne } from "../output/show.ts";
import { destinationOf, withoutCredentials } from "../requests/destination.ts";
import { isMembers } from "../requests/readInput.ts";
import { showRequest } from "../requests/run.ts";
import { followJob, waitOf } from "../requests/wait.ts";
import { checkLocation, downloadFiles } from "./downloadFiles.ts";

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
 * @returns the job when it is done and its files were fetched, or are in the storage that was named.
 */
export async function runExport(
  call: Call,
  { request: asked, given: input, out }: ExportRun,
): Promise<Row | undefined> {
  const destination = destinationOf(input, call.env);
  if (destination !== undefined && out !== undefined) throw usageError("--out and --destination exclude each other.");
  const to = (view: object) => ({ ...asked, body: { ...Object(asked.body), destination: view } });
  if (call.options.dryRun) {
    showRequest(call, destination === undefined ? asked : to(withoutCredentials(destination)));
    return undefined;
  }
  const request = destination === undefined ? asked : to(destination);
  if (out !== undefined) await checkLocation(out);
  const service = call.service();
  const { body } = await service.request(request);
  const id = isMembers(body) ? String(body.jobId) : "";
  const job = await followJob(call, service, { id, timeoutMs: waitOf(input).timeoutMs });
  const isDone = job.status === "Done";
  const { isFormatTyped } = call.options;
  const isOutside = destination !== undefined;
  const isFetched = !isOutside && (out !== undefined || !isFormatTyped);
  if (isDone && isFetched) await downloadFiles(call, job, out);
  else if (isDone && isOutside) sayFiles(call, job);
  else if (isDone) call.terminal.say("The job has links to its files; --out downloads them.");
  if (isFormatTyped) showOne(call, job, members.getJob);
  return isDone && (isFetched || isOutside) ? job : undefined;
}

/** Says which files the storage has now. */
function sayFiles({ terminal }: Call, { metadata }: Row): void {
  const files = isMembers(metadata) && Array.isArray(metadata.files) ? metadata.files.filter(isMembers) : [];
  for (const { name } of files) terminal.say(`Written: ${String(name)}`);
}
