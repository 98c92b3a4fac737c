import type { JobPorts } from "@headwater/jobs/runner/jobKind";
import { destinationOf } from "./destinationOf.ts";
import { keepContactsOf } from "./exportedContacts.ts";
import type { Exporting } from "./exporting.ts";
import { fileName } from "./fileNames.ts";
import type { At, ExportProgress, Part, WrittenFile } from "./progress.ts";
import { type Cut, cutFile } from "./stagingTable.ts";
import { writeRowsFile } from "./writeFile.ts";

export interface NextFile {
  /** The file that was written; none when the part had no more rows. */
  readonly file?: WrittenFile;
  readonly next: ExportProgress;
  /** Rows in all files so far. */
  readonly completedItems: number;
}

/** Writes one file. A part without rows is a file without rows. */
export async function writeNextFile(work: Exporting, at: At<"write">, ports: JobPorts): Promise<NextFile> {
  const { signal, options } = work;
  const part = at.parts[at.part];
  const completedItems = at.files.reduce((sum, { rows }) => sum + rows, 0);
  if (part === undefined) return { next: toManifest(work, at), completedItems };
  const { table } = part;
  const cut = await cutFile(ports.clickhouse, { table, from: at.from, rowsMax: options.recordsPerFile, signal });
  if (cut.rows === 0 && at.place > 0) return { next: toNextPart(work, at), completedItems };
  const file = await writeCut(work, { at, part, cut, completedItems }, ports);
  const files = [...at.files, file];
  const isLast = options.recordsPerFile === 0 || cut.rows < options.recordsPerFile;
  const next = isLast ? toNextPart(work, { ...at, files }) : { ...at, files, from: cut.last + 1, place: at.place + 1 };
  return { file, next, completedItems: completedItems + file.rows };
}

interface Writing {
  readonly at: At<"write">;
  readonly part: Part;
  readonly cut: Cut;
  readonly completedItems: number;
}

async function writeCut(work: Exporting, { at, part, cut, completedItems }: Writing, ports: JobPorts) {
  const { jobId, jobName, account, options, signal } = work;
  const name = fileName({ jobName, jobId, options }, part.kind, at.place);
  const totalItems = at.parts.reduce((sum, { rows }) => sum + rows, 0);
  const rows = { table: part.table, columns: part.columns, from: cut.first, to: cut.last, rows: cut.rows };
  const written = await writeRowsFile({ name, ...rows }, options, {
    bulk: ports.bulk,
    destination: destinationOf(work, ports),
    signal,
    onRows: (done) => work.report({ totalItems, completedItems: completedItems + done }),
    beforeFinish: () => keepContactsOf(ports.bulk, { account: account.number, jobId, file: name, ...rows }, signal),
  });
  const { keptId: storedId, bytes, sha256 } = written;
  const kind = part.kind === undefined ? {} : { kind: part.kind };
  return { ...(storedId !== undefined && { id: storedId }), name, ...kind, rows: cut.rows, bytes, sha256 };
}

function toNextPart(work: Exporting, at: At<"write">): ExportProgress {
  const part = at.part + 1;
  return part < at.parts.length ? { ...at, part, from: 0, place: 0 } : toManifest(work, at);
}

function toManifest({ nowMs: finishedAt }: Exporting, { erasedUpTo, parts, files }: At<"write">): ExportProgress {
  return { phase: "manifest", finishedAt, erasedUpTo, parts, files };
}
