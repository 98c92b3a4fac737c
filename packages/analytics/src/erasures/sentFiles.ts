import { type JobStorage, jobStorage } from "@headwater/contracts";
import { type Job, lockJob, setJobMetadata } from "@headwater/jobs/queue/jobs";
import type { Postgres } from "@headwater/postgres/connection/postgres";
import { z } from "zod";

/** Files of one job that hold the contact and stand in a storage of the account, where only the account can delete them. */
export interface SentFiles {
  readonly jobId: string;
  readonly jobName: string;
  /** The storage as the request named it, without whoever signs in. */
  readonly destination: object;
  readonly files: readonly string[];
}

const outside = z.object({ destination: jobStorage });

/** Returns true for a job that wrote to a storage outside. */
export function isOutside({ input }: Pick<Job, "input">): boolean {
  return outside.safeParse(input).success;
}

/** Members that say where a storage is. */
const SHOWN = [
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

export function toSentFiles({ id: jobId, name: jobName, input }: Job, files: readonly string[]): SentFiles {
  const { destination } = outside.parse(input);
  return { jobId, jobName, destination: shown(destination), files };
}

function shown(destination: JobStorage): object {
  return Object.fromEntries(Object.entries(destination).filter(([name]) => SHOWN.includes(name)));
}

const listed = z.object({ destinations: z.array(z.looseObject({ jobId: z.string() })) });

/** Lists the storages in the erasure's job, each job once, however often it is looked. */
export async function noteDestinations(postgres: Postgres, jobId: string, sent: readonly SentFiles[]): Promise<void> {
  await postgres.transaction(async (transaction) => {
    const job = await lockJob(transaction, jobId);
    if (job === undefined) return;
    const before = listed.safeParse(job.metadata).data?.destinations ?? [];
    const kept = before.filter((one) => !sent.some(({ jobId: id }) => id === one.jobId));
    await setJobMetadata(transaction, { id: jobId, metadata: { ...job.metadata, destinations: [...kept, ...sent] } });
  });
}
