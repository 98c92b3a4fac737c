import { deleteFileRow } from "@headwater/jobs/files/fileRows";
import type { JobPorts } from "@headwater/jobs/runner/jobKind";
import { erasedSince } from "@headwater/records/erasures/erasures";
import { z } from "zod";
import { destinationOf } from "./destinationOf.ts";
import { areStaged } from "./exportedContacts.ts";
import type { Exporting } from "./exporting.ts";
import { manifestName } from "./fileNames.ts";
import { jsonObject } from "./fileQuery.ts";
import { manifestOf } from "./manifest.ts";
import type { At, WrittenFile } from "./progress.ts";
import { writeFile } from "./writeFile.ts";

/** Rows of an export that the job itself shows. */
const DATA_ROWS_MAX = 1_000;

export interface Finished {
  readonly kind: "finished";
  /** The version of the last erasure that was checked. */
  readonly erasedUpTo: string;
  readonly manifest: Omit<WrittenFile, "rows">;
  readonly data?: readonly unknown[];
}

/** Somebody who was staged has been erased: what was written is deleted, and the export is made again. */
export interface Checked {
  readonly kind: "erased";
  readonly erasedUpTo: string;
}

/** Writes the manifest, unless an erasure since the rows were staged is about one of them. */
export async function finishExport(work: Exporting, at: At<"manifest">, ports: JobPorts): Promise<Finished | Checked> {
  const { numbers, last } = await erasedSince(ports.postgres, work.account.number, at.erasedUpTo);
  const erasedUpTo = last ?? at.erasedUpTo;
  if (numbers.length > 0 && (await isTouched(at, numbers, ports))) {
    await removeFiles(work, at, ports);
    return { kind: "erased", erasedUpTo };
  }
  const data = await dataView(work, at, ports);
  const manifest = await writeManifest(work, at, ports);
  return { kind: "finished", erasedUpTo, manifest, ...(data && { data }) };
}

async function isTouched({ parts }: At<"manifest">, numbers: readonly number[], { clickhouse }: JobPorts) {
  for (const { table } of parts) if (await areStaged(clickhouse, table, numbers)) return true;
  return false;
}

async function removeFiles({ account }: Exporting, { files: written }: At<"manifest">, { files, postgres }: JobPorts) {
  for (const { id } of written) {
    if (id === undefined) continue;
    await files.remove({ accountId: account.id, id });
    await deleteFileRow(postgres, id);
  }
}

async function dataView({ showsData }: Exporting, { parts: [part] }: At<"manifest">, { clickhouse }: JobPorts) {
  if (!showsData || part === undefined || part.rows > DATA_ROWS_MAX) return undefined;
  const sql = `SELECT ${jsonObject(part)} AS row FROM ${part.table} ORDER BY n LIMIT ${DATA_ROWS_MAX}`;
  const rows = await clickhouse.query<{ row: string }>(sql);
  return rows.map(({ row }) => z.unknown().parse(JSON.parse(row)));
}

async function writeManifest(work: Exporting, at: At<"manifest">, ports: JobPorts) {
  const { jobId, jobName, options, signal } = work;
  const name = manifestName({ jobName, jobId, options });
  const columns = at.parts[0]?.columns ?? [];
  const createdAt = options.watermark.asOf;
  const facts = {
    jobId,
    jobName,
    createdAt,
    finishedAt: at.finishedAt ?? work.nowMs,
    options,
    columns,
    files: at.files,
  };
  const text = `${JSON.stringify(manifestOf(facts), undefined, 2)}\n`;
  const bytes = async function* () {
    yield Buffer.from(text);
  };
  const destination = destinationOf(work, ports);
  const written = await writeFile(bytes(), name, { destination, signal, beforeFinish: async () => undefined });
  const { keptId: storedId, bytes: length, sha256 } = written;
  return { ...(storedId !== undefined && { id: storedId }), name, bytes: length, sha256 };
}
