import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { createWorkLoop, type HealthCheck, type Logger, type Part, withTimeout } from "@headwater/kernel";
import type { Session } from "../connection/session.ts";
import { deleteProcess, deleteSilentProcesses, type ProcessName, reportProcess } from "./processes.ts";

export interface HeartbeatOptions {
  readonly session: Session;
  readonly name: ProcessName;
  /** Parts of the work that this process does, where it does not do all of it. */
  readonly parts?: readonly string[];
  /** The checks of `/ready`. */
  readonly checks: () => Promise<Readonly<Record<string, HealthCheck>>> | Readonly<Record<string, HealthCheck>>;
  readonly logger: Logger;
}

const EVERY_MS = 5_000;
const REPORT_TIMEOUT_MS = 10_000;
const STOP_TIMEOUT_MS = 1_000;
const SILENT_SECONDS_MAX = 86_400;

/**
 * Creates the part of a process by which `headwater status` knows it, on whatever machine it runs: a row every five seconds. A process whose
 * event loop stands reports nothing, and one that was killed neither.
 */
export function createHeartbeat({ session, name, parts = [], checks, logger }: HeartbeatOptions): Part {
  const reporting = { id: randomUUID(), name, host: hostname(), pid: process.pid, parts };
  let isFirst = true;
  const report = async () => {
    if (isFirst) await deleteSilentProcesses(session, SILENT_SECONDS_MAX);
    await reportProcess(session, { ...reporting, checks: await checks() });
    isFirst = false;
  };
  // A report that fails ends nothing, also while Postgres is refused: that it is missing is what others see.
  const onFailure = (error: unknown) =>
    logger.debug({ err: error }, "reporting this process to Postgres failed, retrying");
  const loop = createWorkLoop({
    work: async () => {
      await withTimeout(report, REPORT_TIMEOUT_MS).catch(onFailure);
      return false;
    },
    idleMs: EVERY_MS,
    minMs: EVERY_MS,
    maxMs: EVERY_MS,
    onRetry: ({ error }) => onFailure(error),
  });
  return {
    start: () => loop.start(),
    async stop() {
      await loop.stop();
      await withTimeout(() => deleteProcess(session, reporting.id), STOP_TIMEOUT_MS).catch((error: unknown) =>
        logger.debug({ err: error }, "deleting the row of this process failed"),
      );
    },
  };
}
