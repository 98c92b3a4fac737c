import type { Account, JobInput, JobName } from "@headwater/contracts";
import type { Answer } from "@headwater/http";
import type { ErrorDetail } from "@headwater/kernel";
import { readAccountDocument } from "@headwater/stores/accounts";
import { takeUpload, type Upload } from "@headwater/stores/imports";
import { startJob } from "@headwater/stores/jobs";
import type { Transaction } from "@headwater/stores/postgres";
import { type OnceCall, runOnce } from "../idempotency/runOnce.ts";
import { startedJob } from "../jobs/startedJob.ts";
import type { ServicePorts } from "../ports.ts";
import { chooseNotices } from "../storage/chooseNotices.ts";
import { importRefused } from "./closedBody.ts";
import { expectHeader, HEAD_BYTES, namesColumns, type SourceHead } from "./expectHeader.ts";
import type { ImportBody } from "./importBodies.ts";
import { type ChosenSource, chooseSource } from "./source/chooseSource.ts";
import { findUpload, headOfUpload } from "./source/uploadSource.ts";

export type ImportPorts = Pick<
  ServicePorts,
  "clock" | "files" | "postgres" | "queue" | "sealer" | "outbound" | "canMail"
>;
export type ImportJobName = Extract<JobName, `Import${string}`>;
/** The part of a job's input that says where its rows are. */
export type SourceInput = Pick<JobInput<ImportJobName>, "upload" | "outside" | "fileName">;

export interface ImportStart<Name extends ImportJobName> {
  readonly jobName: Name;
  readonly once: OnceCall;
  readonly body: ImportBody;
  /** Lines of JSON alone: no header is asked for. */
  readonly isJsonOnly: boolean;
  inputOf(source: SourceInput): JobInput<Name>;
}

/**
 * Starts an import. An upload is kept for it from now on; a file outside must answer.
 * @throws HeadwaterError 422 `IMPORT_CONFIGURATION_ERROR`, `STORAGE_CONNECTION_ERROR`, 429.
 */
export async function startImport<Name extends ImportJobName>(
  start: ImportStart<Name>,
  ports: ImportPorts,
): Promise<Answer> {
  const { jobName, once, body, isJsonOnly, inputOf } = start;
  const { id: madeBy } = once.caller;
  expectOptions(body);
  // The key's cache may not know yet what the account saved just now.
  const { account } = await readAccountDocument(ports.postgres, once.caller.account.number);
  const { notices, warnings } = chooseNotices(body, { account, code: "IMPORT_CONFIGURATION_ERROR" }, ports);
  const source = await chooseSource(body.source, account, ports);
  return runOnce(ports.postgres, once, async (transaction) => {
    const nowMs = ports.clock.nowMs();
    const upload = await uploadOf(transaction, source, { account: account.number, nowMs });
    if (!isJsonOnly && !namesColumns(body)) expectHeader(await headOf(source, upload, { account, ports }));
    const jobId = await startJob(transaction, ports.queue, {
      account: account.number,
      jobName,
      input: inputOf(inputOfSource(source)),
      metadata: metadataOf(source, body),
      ...(source.kind === "outside" && { secrets: source.secrets }),
      notices,
      madeBy,
      nowMs,
    });
    if (source.kind === "upload") await takeUpload(transaction, { account: account.number, id: source.id, job: jobId });
    const answer = startedJob(jobId, warnings.length === 0 ? {} : { warnings });
    return { answer, kept: answer.body };
  });
}

async function uploadOf(
  transaction: Transaction,
  source: ChosenSource,
  about: { readonly account: number; readonly nowMs: number },
): Promise<Upload | undefined> {
  return source.kind === "upload" ? findUpload(transaction, { ...about, id: source.id }) : undefined;
}

interface Looking {
  readonly account: Pick<Account, "id">;
  readonly ports: ImportPorts;
}

async function headOf(
  source: ChosenSource,
  upload: Upload | undefined,
  { account, ports }: Looking,
): Promise<SourceHead> {
  if (source.kind === "outside") return { name: source.fileName, head: source.head };
  if (upload === undefined) throw new Error("an upload that is named was found");
  const head = await headOfUpload(upload, { files: ports.files, accountId: account.id, bytesMax: HEAD_BYTES });
  return { name: upload.name ?? "", head };
}

function inputOfSource(source: ChosenSource): SourceInput {
  if (source.kind === "upload") return { upload: source.id };
  return { outside: source.outside, fileName: source.fileName };
}

function metadataOf(source: ChosenSource, { importName, dryRun }: ImportBody): object {
  return {
    ...(source.kind === "upload" && { upload: source.id }),
    ...(importName !== undefined && { importName }),
    ...(dryRun === true && { dryRun }),
  };
}

function expectOptions({ delimiter, encoding }: ImportBody): void {
  const names = ["comma", "semicolon", "tab", "pipe"];
  const isDelimiter = delimiter === undefined || [...delimiter].length === 1 || names.includes(delimiter.toLowerCase());
  const isSafe = delimiter === undefined || !/["\r\n\0]/.test(delimiter);
  const problems: ErrorDetail[] = [];
  if (!isDelimiter || !isSafe) {
    const message = "The delimiter must be one character, or comma, semicolon, tab or pipe.";
    problems.push({ path: "/delimiter", code: "bad_value", message, allowed: names });
  }
  if (encoding !== undefined && !isEncoding(encoding))
    problems.push({ path: "/encoding", code: "bad_value", message: "The encoding is not known." });
  if (problems.length > 0) throw importRefused(problems);
}

function isEncoding(label: string): boolean {
  try {
    return new TextDecoder(label).encoding !== "";
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}
