import { availableParallelism } from "node:os";
import { Failure } from "../../bootstrap/failure.mjs";

/** Processes of the apps that several of can run side by side. */
export interface ProcessCounts {
  readonly ingress: number;
  readonly projector: number;
}

/** A projector that has no partition waits; `intake.records` has 8. */
const PROCESSES_MAX = 8;
/** Kafka, Postgres and ClickHouse take as much as the two together. */
const CORES_PER_PROCESS = 4;

interface Machine {
  readonly cores: number;
  readonly platform: NodeJS.Platform;
}

const thisMachine = (): Machine => ({ cores: availableParallelism(), platform: process.platform });

/**
 * Reads HEADWATER_INGRESS_PROCESSES and HEADWATER_PROJECTOR_PROCESSES, 1 to 8. By default one of each for every four cores; elsewhere
 * than on Linux one ingress, because only Linux spreads connections over processes that listen on one port.
 * @throws Failure with a sentence for the one who set it.
 */
export function readProcessCounts(env: NodeJS.ProcessEnv, machine = thisMachine()): ProcessCounts {
  const fallback = Math.min(PROCESSES_MAX, Math.max(1, Math.floor(machine.cores / CORES_PER_PROCESS)));
  const isSharing = machine.platform === "linux";
  const ingress = readCount(env, "HEADWATER_INGRESS_PROCESSES") ?? (isSharing ? fallback : 1);
  if (ingress > 1 && !isSharing) {
    throw new Failure("HEADWATER_INGRESS_PROCESSES must be 1 here: only Linux lets several processes share one port.");
  }
  return { ingress, projector: readCount(env, "HEADWATER_PROJECTOR_PROCESSES") ?? fallback };
}

function readCount(env: NodeJS.ProcessEnv, name: string): number | undefined {
  const text = env[name];
  if (text === undefined || text === "") return undefined;
  const count = Number(text);
  if (/^\d+$/.test(text) && count >= 1 && count <= PROCESSES_MAX) return count;
  throw new Failure(`${name} is ${text} and must be a whole number from 1 to ${PROCESSES_MAX}.`);
}
