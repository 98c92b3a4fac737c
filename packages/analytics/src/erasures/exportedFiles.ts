import { type JobName, type JobStorage, jobStorage } from "@headwater/contracts";
import { storedFileId } from "@headwater/jobs/destinations/keptDestination";
import { deleteFileRow, nextFileOfJobs } from "@headwater/jobs/files/fileRows";
import { type Job, lockJob, setJobMetadata } from "@headwater/jobs/queue/jobs";
import type { JobPorts } from "@headwater/jobs/runner/jobKind";
import type { Postgres } from "@headwater/postgres/connection/postgres";
import { filesAbout, profilesSent } from "@headwater/records/erasures/erasedTraces";
import type { Erasure } from "@headwater/records/erasures/erasures";
import { z } from "zod";
import { filesWithContacts } from "../exports/exportedContacts.ts";
import type { Erasing } from "./progress.ts";
import { searchFile } from "./uploadsAbout.ts";

const outside = z.object({ destination: jobStorage });

/** Members that say where a storage is. */
const VIEW = [
  "type",
  "savedKey",
  "aws_bucket",
  "aws_path",
  "aws_region",
  "aws_endpoint",
  "server",
  "port",
  "path",
  "account",
  "container",
  "endpoint",
];

const listed = z.object({ destinations: z.array(z.looseObject({ jobId: z.string() })) });

/** The erasure as it finds files, and its own job, which lists what it cannot delete. */
export interface ErasingFiles {
  readonly accountId: string;
  readonly jobId: string;
}

/**
 * Deletes the kept files of exports that hold the contact, and marks them in their jobs. Those that went to a storage outside are listed in
 * the erasure's job. A job that is under way finds the erasure itself and writes its files again.
 */
export async function removeExportedFiles(ports: JobPorts, of: ErasingFiles, erasure: Erasure): Promise<void> {
  const { clickhouse, postgres } = ports;
  const found = await filesWithContacts(clickhouse, erasure.account, erasure.numbers);
  const sent: SentFiles[] = [];
  for (const [id, own] of Map.groupBy(found, ({ job }) => job)) {
    const names = new Set(own.map(({ file }) => file));
    const job = await postgres.transaction((transaction) => lockJob(transaction, id));
    if (job !== undefined && isOutside(job)) sent.push(toSentFiles(job, [...names]));
    else {
      const stored = [...names].map((name) => ({ id: storedFileId(id, name), name }));
      await removeStored(ports, { accountId: of.accountId, jobId: id, kept: stored });
    }
  }
  for (const id of await profilesSent(postgres, erasure.account, erasure.cids)) {
    const job = await postgres.transaction((transaction) => lockJob(transaction, id));
    const names = job === undefined ? [] : namesOf(job);
    if (job !== undefined && names.length > 0) sent.push(toSentFiles(job, names));
  }
  // The list stands before the rows that it was made from go.
  if (sent.length > 0) await noteDestinations(postgres, of.jobId, sent);
}

/** Deletes the profiles of the contact that were kept for download, and marks them in their jobs. */
export async function removeProfiles(ports: JobPorts, accountId: string, { account, cids }: Erasure): Promise<void> {
  for (const { job: jobId, ...file } of await filesAbout(ports.postgres, account, cids)) {
    await removeStored(ports, { accountId, jobId, kept: [file] });
  }
}

const RUN_OF_DATA_JOB = "DataAutomationProcessList" satisfies JobName;

/**
 * Deletes the stored files of data jobs that name the person, and marks them in their jobs. Nobody knows of whom their lines are, so they are
 * read; one that cannot be read may name anybody, and goes as well.
 */
export async function removeRunFiles(
  work: Pick<Erasing, "jobId" | "account" | "input" | "nowMs" | "signal">,
  ports: Pick<JobPorts, "files" | "postgres" | "sources">,
): Promise<void> {
  const { number: account } = work.account;
  for (let after = ""; ; ) {
    const file = await nextFileOfJobs(ports.postgres, { account, jobName: RUN_OF_DATA_JOB, after });
    if (file === undefined) return;
    after = file.id;
    if ((await searchFile(file, { work, ports })) === "nothing") continue;
    await removeStored(ports, { accountId: file.accountId, jobId: file.job, kept: [file] });
  }
}

interface StoredFiles extends ErasingFiles {
  readonly kept: readonly { readonly id: string; readonly name: string }[];
}

/** A row goes with its mark: a profile without a row is not found again. */
async function removeStored(
  { files, postgres }: Pick<JobPorts, "files" | "postgres">,
  { accountId, jobId, kept: existing }: StoredFiles,
): Promise<void> {
  for (const { id } of existing) await files.remove({ accountId, id });
  const names = new Set(existing.map(({ name }) => name));
  await postgres.transaction(async (transaction) => {
    const job = await lockJob(transaction, jobId);
    if (job !== undefined) await setJobMetadata(transaction, { id: jobId, metadata: markErased(job.metadata, names) });
    for (const { id } of existing) await deleteFileRow(transaction, id);
  });
}

const named = z.object({ files: z.array(z.object({ name: z.string() })) });

function namesOf({ metadata }: Pick<Job, "metadata">): string[] {
  const { data } = named.safeParse(metadata);
  return data?.files.map(({ name }) => name) ?? [];
}

/** Marks files by their names; what a job says besides stays. */
export function markErased(metadata: object, names: ReadonlySet<string>): object {
  if (!("files" in metadata) || !Array.isArray(metadata.files)) return metadata;
  const files = metadata.files.map((file: unknown) => (isNamed(file, names) ? { ...file, erased: true } : file));
  return { ...metadata, files };
}

function isNamed(file: unknown, names: ReadonlySet<string>): file is object {
  return (
    typeof file === "object" && file !== null && "name" in file && typeof file.name === "string" && names.has(file.name)
  );
}

/** Files of one job that hold the contact and stand in a storage of the account, where only the account can delete them. */
interface SentFiles {
  readonly jobId: string;
  readonly jobName: string;
  /** The storage as the request named it, without whoever signs in. */
  readonly destination: object;
  readonly files: readonly string[];
}

/** Returns true for a job that wrote to a storage outside. */
function isOutside({ input }: Pick<Job, "input">): boolean {
  return outside.safeParse(input).success;
}

function toSentFiles({ id: jobId, name: jobName, input }: Job, files: readonly string[]): SentFiles {
  const { destination } = outside.parse(input);
  return { jobId, jobName, destination: view(destination), files };
}

function view(destination: JobStorage): object {
  return Object.fromEntries(Object.entries(destination).filter(([name]) => VIEW.includes(name)));
}

/** Lists the storages in the erasure's job, each job once, however often it is looked. */
async function noteDestinations(postgres: Postgres, jobId: string, sent: readonly SentFiles[]): Promise<void> {
  await postgres.transaction(async (transaction) => {
    const job = await lockJob(transaction, jobId);
    if (job === undefined) return;
    const before = listed.safeParse(job.metadata).data?.destinations ?? [];
    const retained = before.filter((one) => !sent.some(({ jobId: id }) => id === one.jobId));
    await setJobMetadata(transaction, {
      id: jobId,
      metadata: { ...job.metadata, destinations: [...retained, ...sent] },
    });
  });
}
