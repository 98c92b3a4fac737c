import type { JobInput, JobName } from "@headwater/contracts";
import type { Answer } from "@headwater/http";
import type { FileStore } from "@headwater/stores/files";
import { takeUpload, type Upload } from "@headwater/stores/imports";
import { startJob } from "@headwater/stores/jobs";
import { type OnceCall, runOnce } from "../idempotency/runOnce.ts";
import { startedJob } from "../jobs/startedJob.ts";
import type { ServicePorts } from "../ports.ts";
import { importRefused } from "./closedBody.ts";
import { findUpload, type ImportSource, uploadGone } from "./importSource.ts";

export type ImportPorts = Pick<ServicePorts, "clock" | "files" | "postgres" | "queue">;
type ImportJobName = Extract<JobName, `Import${string}`>;

/** Options that every import has. */
export interface ImportRequest {
  readonly source: ImportSource;
  readonly importName?: string | undefined;
  readonly hasHeader?: boolean | undefined;
  readonly columns?: readonly string[] | undefined;
  readonly delimiter?: string | undefined;
  readonly encoding?: string | undefined;
  readonly dryRun?: boolean | undefined;
  readonly confirmEmail?: string | undefined;
}

export interface ImportStart<Name extends ImportJobName> {
  readonly jobName: Name;
  readonly once: OnceCall;
  readonly request: ImportRequest;
  /** Lines of JSON alone: no header is asked for. */
  readonly isJsonOnly?: boolean;
  inputOf(upload: string): JobInput<Name>;
}

/** Starts an import of an upload, which is kept for it from now on. @throws HeadwaterError 422 `IMPORT_CONFIGURATION_ERROR`, 429. */
export function startImport<Name extends ImportJobName>(
  { jobName, once, request, isJsonOnly = false, inputOf }: ImportStart<Name>,
  { postgres, files, queue, clock }: ImportPorts,
): Promise<Answer> {
  const { account, id: madeBy } = once.caller;
  expectOptions(request);
  return runOnce(postgres, once, async (transaction) => {
    const nowMs = clock.nowMs();
    const upload = await findUpload(transaction, request.source, { account: account.number, nowMs });
    if (!isJsonOnly) await expectHeader(request, upload, { files, accountId: account.id });
    const { importName, dryRun } = request;
    const jobId = await startJob(transaction, queue, {
      account: account.number,
      jobName,
      input: inputOf(upload.id),
      metadata: {
        upload: upload.id,
        ...(importName !== undefined && { importName }),
        ...(dryRun === true && { dryRun }),
      },
      madeBy,
      nowMs,
    });
    await takeUpload(transaction, { account: account.number, id: upload.id, job: jobId });
    const answer = startedJob(jobId, request.confirmEmail === undefined ? {} : { warnings: [NO_MAIL] });
    return { answer, kept: answer.body };
  });
}

const NO_MAIL = { code: "not_available", path: "/confirmEmail", message: "This installation sends no mail." };

function expectOptions({ delimiter, encoding }: ImportRequest): void {
  const names = ["comma", "semicolon", "tab", "pipe"];
  const isDelimiter = delimiter === undefined || [...delimiter].length === 1 || names.includes(delimiter.toLowerCase());
  const isSafe = delimiter === undefined || !/["\r\n\0]/.test(delimiter);
  if (!isDelimiter || !isSafe) {
    const message = "The delimiter must be one character, or comma, semicolon, tab or pipe.";
    throw importRefused([{ path: "/delimiter", code: "bad_value", message, allowed: names }]);
  }
  if (encoding !== undefined && !isEncoding(encoding)) {
    throw importRefused([{ path: "/encoding", code: "bad_value", message: "The encoding is not known." }]);
  }
}

function isEncoding(label: string): boolean {
  try {
    return new TextDecoder(label).encoding !== "";
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

const OBJECTS = /\.(jsonl|ndjson)(\.(gz|zst))?$/i;
const HEAD_BYTES = 512;

/** Lines of JSON name their members themselves; whether a compressed file is one shows only to the worker. */
async function expectHeader(
  { hasHeader, columns }: ImportRequest,
  upload: Upload,
  { files, accountId }: { readonly files: FileStore; readonly accountId: string },
): Promise<void> {
  if (hasHeader === true || columns !== undefined || OBJECTS.test(upload.name ?? "")) return;
  if (mayNameMembers(await headOf(files.read({ accountId, id: upload.id }, { start: 0, end: HEAD_BYTES - 1 })))) return;
  const message = "Set `hasHeader` to true, or send `columns`.";
  throw importRefused([{ path: "/hasHeader", code: "required", message }]);
}

/** @throws HeadwaterError 422 for bytes that are not there. */
async function headOf(chunks: AsyncIterable<Buffer>): Promise<Buffer> {
  const head: Buffer[] = [];
  try {
    for await (const chunk of chunks) head.push(chunk);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") throw uploadGone();
    throw error;
  }
  return Buffer.concat(head);
}

function mayNameMembers(head: Buffer): boolean {
  const begins = (...bytes: number[]) => head.subarray(0, bytes.length).equals(Buffer.from(bytes));
  const isPacked = begins(0x1f, 0x8b) || begins(0x28, 0xb5, 0x2f, 0xfd);
  // A mark, and the NULs of UTF-16, may stand around the first brace.
  return isPacked || /^[\uFFFD\uFEFF\0\s]*\{/.test(head.toString("utf8"));
}
