import { type Account, exportOptions, jobStorage } from "@headwater/contracts";
import type { Destination } from "@headwater/jobs/destinations/destination";
import { createStoredDestination } from "@headwater/jobs/destinations/keptDestination";
import { delayLeftover, deleteLeftover, type Leftover, takeLeftovers } from "@headwater/jobs/queue/jobLeftovers";
import { type Job, readStoredJob } from "@headwater/jobs/queue/jobs";
import type { JobPorts } from "@headwater/jobs/runner/jobKind";
import { openDestination } from "@headwater/jobs/storage/openDestination";
import { createWorkLoop, type WorkLoop } from "@headwater/kernel";
import { z } from "zod";
import { fileName, manifestName } from "./fileNames.ts";
import { type At, exportProgress } from "./progress.ts";
import { dropTablesOf } from "./stagingTables.ts";

export interface LeftoverPorts
  extends Pick<
    JobPorts,
    "postgres" | "clickhouse" | "bulk" | "files" | "outbound" | "storages" | "sealer" | "clock" | "logger"
  > {
  readonly account: (number: number) => Promise<Account | undefined>;
}

const AT_ONCE_MAX = 4;
const ATTEMPT_TIMEOUT_MS = 60_000;
/** Longer than an attempt takes: then the leftover is free again, should its worker have been killed. */
const LEASE_MS = 2 * ATTEMPT_TIMEOUT_MS;
const CHECK_EVERY_MS = 5_000;
const MINUTE_MS = 60_000;
/** Pauses after the first attempt, the second, and so on; after the last one it is given up. */
const PAUSES_MS = [1, 5, 30, 120, 360, 720].map((minutes) => minutes * MINUTE_MS);

/** Removes unfinished files and staging tables of exports that were canceled or have failed: their own workers may be dead. */
export function createLeftoverRemoval(ports: LeftoverPorts): WorkLoop {
  return createWorkLoop({
    work: () => removeLeftovers(ports),
    idleMs: CHECK_EVERY_MS,
    minMs: 100,
    maxMs: 30_000,
    onRetry: ({ error }) => ports.logger.warn({ err: error }, "taking leftovers of jobs failed, retrying"),
  });
}

/** Removes what is due. @returns whether there may be more. */
export async function removeLeftovers(ports: LeftoverPorts): Promise<boolean> {
  const now = ports.clock.nowMs();
  const due = await takeLeftovers(ports.postgres, { now, leaseUntil: now + LEASE_MS, rowsMax: AT_ONCE_MAX });
  for (const leftover of due) await removeOne(leftover, ports);
  return due.length === AT_ONCE_MAX;
}

async function removeOne(leftover: Leftover, ports: LeftoverPorts): Promise<void> {
  const { postgres, clock, logger } = ports;
  try {
    await discard(leftover, ports);
  } catch (error) {
    const pauseMs = PAUSES_MS[leftover.attempts];
    logger.warn(
      { err: error, jobId: leftover.job, attempts: leftover.attempts },
      "removing the leftovers of a job failed",
    );
    if (pauseMs !== undefined) return delayLeftover(postgres, leftover, clock.nowMs() + pauseMs);
  }
  await deleteLeftover(postgres, leftover);
}

async function discard(leftover: Leftover, ports: LeftoverPorts): Promise<void> {
  await dropTablesOf(ports, leftover.job);
  const [job, account] = await Promise.all([
    readStoredJob(ports.postgres, leftover.account, leftover.job),
    ports.account(leftover.account),
  ]);
  if (job === undefined || account === undefined) return;
  const unfinished = unfinishedOf(job);
  if (unfinished === undefined) return;
  const destination = destinationOf({ job, account, secrets: leftover.secrets ?? undefined }, unfinished, ports);
  const signal = AbortSignal.timeout(ATTEMPT_TIMEOUT_MS);
  for (const name of unfinished.files) await destination.discard(name, signal);
}

interface Unfinished {
  readonly storage: { readonly type: string };
  /** Replaces `{name}` in the path. */
  readonly name: string;
  /** Names of files that may have been begun. */
  readonly files: readonly string[];
}

const exported = exportOptions.loose();
const profile = z.object({ contact: z.string(), format: z.string(), destination: jobStorage });

function unfinishedOf({ id: jobId, name: jobName, input, progress }: Job): Unfinished | undefined {
  const sent = profile.safeParse(input).data;
  if (sent !== undefined) {
    const files = [`contact-${sent.contact}-${jobId}.${sent.format}`];
    return { storage: sent.destination, name: "profile", files };
  }
  const options = exported.safeParse(input).data;
  const at = exportProgress.safeParse(progress).data;
  if (options === undefined || (at?.phase !== "write" && at?.phase !== "manifest")) return undefined;
  const named = { jobName, jobId, options };
  const files = at.phase === "manifest" ? [manifestName(named)] : [underWay(named, at), manifestName(named)];
  return { storage: options.destination, name: options.name ?? jobName, files };
}

function underWay(named: Parameters<typeof fileName>[0], { parts, part, place: position }: At<"write">): string {
  return fileName(named, parts[part]?.kind, position);
}

interface EndedJob {
  readonly job: Job;
  readonly account: Account;
  readonly secrets: string | undefined;
}

function destinationOf({ job, account, secrets }: EndedJob, unfinished: Unfinished, ports: LeftoverPorts): Destination {
  const { id: jobId, createdAt } = job;
  const storage = jobStorage.safeParse(unfinished.storage);
  if (!storage.success) return createStoredDestination({ files: ports.files, accountId: account.id, jobId });
  const { name } = unfinished;
  return openDestination({ jobId, account, secrets, createdAt }, { storage: storage.data, name }, ports);
}
