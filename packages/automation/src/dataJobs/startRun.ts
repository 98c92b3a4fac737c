import { jobStorage, toTimestamp } from "@headwater/contracts";
import type { JobQueue } from "@headwater/jobs/queue/jobQueue";
import { startJob } from "@headwater/jobs/queue/startJob";
import { takeUpload } from "@headwater/jobs/uploads/uploads";
import { overShare } from "@headwater/kernel";
import type { Transaction } from "@headwater/postgres/connection/session";
import { z } from "zod";
import { runMarkerOf } from "./dataJob.ts";
import { insertRun, readRun, type StoredDataJob } from "./postgres.ts";
import { readStoredStorage, type StoredStorage } from "./storages.ts";

export interface RunStart {
  readonly job: StoredDataJob;
  /** Tick that starts it, milliseconds since 1970; null for a call. */
  readonly tickAt: number | null;
  /** Zone of its marker, where the schedule has none. */
  readonly timezone: string;
  /** Id of the key that asked for it, or of the data job. */
  readonly madeBy: string;
  readonly nowMs: number;
}

export interface StartedRun {
  readonly marker: string;
  /** Id of its job. */
  readonly jobId: string;
}

/** Seconds after the start of a run whose markers are tried when that of its minute is taken. */
const MARKERS_TRIED = 120;

/**
 * Stores a run and starts its job in the caller's transaction, which has locked the data job. The job keeps what the data job says now.
 * @throws HeadwaterError 429 when the account has as many jobs waiting as it may.
 */
export async function startRun(transaction: Transaction, queue: JobQueue, start: RunStart): Promise<StartedRun> {
  const { job, tickAt, madeBy, nowMs } = start;
  const { account, daId } = job;
  const source = readStoredStorage(job.source);
  if (source === undefined) throw new Error("a run has a source");
  const destination = readStoredStorage(job.destination);
  const marker = await freeMarker(transaction, start);
  const jobId = await startJob(transaction, queue, {
    account,
    jobName: "DataAutomationProcessList",
    input: {
      ...inputOf(source),
      ...{ dataJob: daId, runMarker: marker, hasHeader: true, recordMapping: JSON.parse(job.mapping) },
      target: job.targetType,
      ...(job.targetKey !== null && { targetKey: job.targetKey }),
      ...(destination !== undefined && { destination: jobStorage.parse(destination.outside) }),
    },
    metadata: { dataJob: job.key, daId, runMarker: marker, ...(tickAt !== null && { tick: toTimestamp(tickAt) }) },
    secrets: sealedSecrets.encode({ source: source.secrets, destination: destination?.secrets }),
    madeBy,
    nowMs,
  });
  await insertRun(transaction, { account, daId, marker, job: jobId, tickAt, createdAt: nowMs });
  if (source.upload !== undefined) await takeUpload(transaction, { account, id: source.upload, job: jobId });
  return { marker, jobId };
}

/** Returns the marker of the minute in which a run starts, or one with seconds where that is taken. */
async function freeMarker(transaction: Transaction, { job, tickAt, timezone, nowMs }: RunStart): Promise<string> {
  const at = tickAt ?? nowMs;
  const zone = job.timezone ?? timezone;
  for (let tried = -1; tried < MARKERS_TRIED; tried++) {
    const marker = runMarkerOf(at + 1_000 * Math.max(tried, 0), zone, tried >= 0);
    if ((await readRun(transaction, job, marker)) === undefined) return marker;
  }
  throw overShare("runs");
}

function inputOf({ upload, outside, fileName }: StoredStorage) {
  if (upload !== undefined) return { upload };
  return { ...(outside !== undefined && { outside }), ...(fileName !== undefined && { fileName }) };
}

const shape = z.object({ source: z.string().optional(), destination: z.string().optional() });

/** Sealed secrets of a run's source and destination, as its job keeps both in one text. */
export const sealedSecrets = {
  encode: (secrets: z.output<typeof shape>): string => JSON.stringify(secrets),
  decode: (text: string | undefined): z.output<typeof shape> =>
    text === undefined ? {} : shape.parse(JSON.parse(text)),
};
