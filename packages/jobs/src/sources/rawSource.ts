import { hash } from "node:crypto";
import type { Account, ImportJobName, JobInput } from "@headwater/contracts";
import { outsidePortsOf } from "../destinations/createDestination.ts";
import type { JobPorts } from "../runner/jobKind.ts";
import { openSecrets, openStorage } from "../storage/openStorage.ts";
import { insertUpload, readUpload } from "../uploads/uploads.ts";
import { importFailed } from "./importError.ts";
import { isLink, readSource, SOURCE_BYTES_MAX, type SourceFile } from "./openSource.ts";

/** The bytes of a source as they came, in the account's files. */
export interface RawSource {
  readonly id: string;
  readonly name: string | undefined;
  readonly bytes: number;
  /** Hex. */
  readonly sha256: string;
}

export interface RawSourceOf {
  readonly jobId: string;
  readonly account: Account;
  readonly input: Pick<JobInput<ImportJobName>, "upload" | "outside" | "fileName">;
  /** Sealed secrets of the request. */
  readonly secrets: string | undefined;
  readonly nowMs: number;
  readonly signal: AbortSignal;
}

export type SourcePorts = Pick<JobPorts, "files" | "postgres" | "outbound" | "sealer" | "storages">;

/**
 * Finds the upload, or copies the file outside, once: a copy that is whole is not fetched again, so rows do not move under a resumed job.
 * @throws HeadwaterError `STORAGE_CONNECTION_ERROR`, retriable when nobody answered.
 */
export async function rawSource(work: RawSourceOf, ports: SourcePorts): Promise<RawSource> {
  const { account, input } = work;
  const id = input.upload ?? copyIdOf(work.jobId, "outside");
  const known = await readUpload(ports.postgres, account.number, id);
  if (known !== undefined && known.sha256 !== "") return { ...known, name: known.name ?? undefined };
  if (input.outside === undefined) throw importFailed("The uploaded file does not exist any more.");
  return fetchOutside(work, ports, id);
}

/** Id of a copy that a job makes for itself. */
export function copyIdOf(jobId: string, what: "outside" | "source" | "parquet"): string {
  return hash("sha256", `${jobId}\n${what}`, "hex").slice(0, 24);
}

/** The row comes before the bytes, so that housekeeping finds them. */
async function fetchOutside(work: RawSourceOf, { files, postgres, ...ways }: SourcePorts, id: string) {
  const { jobId: job, account, input, nowMs, signal } = work;
  const name = input.fileName ?? null;
  const row = { id, account: account.number, name, job, isCopy: true, createdAt: nowMs };
  await insertUpload(postgres, { ...row, bytes: 0, sha256: "" });
  const outside = outsidePortsOf(account.number, { ...ways, postgres });
  const bytes = readSource(fileOf(work, ways.sealer), outside, signal);
  const written = await files.write({ accountId: account.id, id }, bytes, { bytesMax: SOURCE_BYTES_MAX });
  await insertUpload(postgres, { ...row, ...written });
  return { id, name: input.fileName, ...written };
}

function fileOf(work: RawSourceOf, sealer: JobPorts["sealer"]): SourceFile {
  const { outside } = work.input;
  if (outside === undefined) throw new Error("the source is an upload");
  if (!isLink(outside)) return openStorage(work, outside, sealer);
  const { url } = openSecrets(work, sealer);
  if (url === undefined) throw new Error("the link of an import has no address");
  return { type: outside.type, url };
}
