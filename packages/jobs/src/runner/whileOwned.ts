import { type Job, readAttempt } from "../queue/jobs.ts";
import type { RunnerOptions } from "./runnerOptions.ts";

/** A cancel takes hold within this, and the time that an aborted query takes to end. */
const LOOK_EVERY_MS = 1_000;

/** The reason of the signal of work whose job is no longer this attempt's. */
export class JobLost extends Error {}

interface Owned {
  readonly job: Pick<Job, "id" | "attempt">;
  readonly signal: AbortSignal;
  /** Aborted in place of the work when the job was canceled and counts on. */
  readonly canceled: AbortController;
}

/**
 * Runs work outside of Postgres, and aborts it soon after the job was canceled or another worker took it.
 * @returns "lost" for work that was aborted so.
 */
export async function whileOwned<Result>(
  { postgres, logger }: Pick<RunnerOptions, "postgres" | "logger">,
  { job, signal, canceled }: Owned,
  run: (signal: AbortSignal) => Promise<Result>,
): Promise<Result | "lost"> {
  const lost = new AbortController();
  const look = async () => {
    try {
      const now = await readAttempt(postgres, job.id);
      if (now?.isCounting === true) canceled.abort();
      if (now?.attempt !== job.attempt) lost.abort(new JobLost("the job was canceled or taken by another worker"));
    } catch (error) {
      logger.debug({ err: error, jobId: job.id }, "could not look whether the job was canceled");
    }
  };
  const timer = setInterval(() => void look(), LOOK_EVERY_MS);
  try {
    return await run(AbortSignal.any([signal, lost.signal]));
  } catch (error) {
    if (lost.signal.aborted && !signal.aborted) return "lost";
    throw error;
  } finally {
    clearInterval(timer);
  }
}
