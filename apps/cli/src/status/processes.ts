import { PROJECTOR_GROUPS } from "@headwater/contracts";
import { type KnownProcess, PROCESS_NAMES, readProcesses } from "@headwater/postgres/processes/processes";
import type { Connections } from "../connections.ts";
import { failedPart, type PartStatus } from "./parts.ts";

/** A process reports every five seconds; one that missed three reports stands, or is gone. */
const SILENT_SECONDS_MAX = 20;
/** Time for which a process that was killed is shown next to those that took its work over. */
const DISPLAYED_SECONDS_MAX = 600;
/** Parts that have to run in some projector. */
const PROJECTOR_PARTS = [...PROJECTOR_GROUPS, "relay", "redriver"];

/** @param without names of processes that this installation does not run. */
export async function checkProcesses(connections: Connections, without: readonly string[]): Promise<PartStatus[]> {
  try {
    const known = await connections.withPostgres(readProcesses);
    return PROCESS_NAMES.filter((name) => !without.includes(name)).map((name) => toProcessStatus(name, known));
  } catch (error) {
    return [failedPart("processes", error)];
  }
}

/** Returns one line for all processes of a name. */
export function toProcessStatus(name: string, all: readonly KnownProcess[]): PartStatus {
  const known = all.filter((one) => one.name === name);
  const alive = known.filter(({ silentSeconds }) => silentSeconds <= SILENT_SECONDS_MAX);
  const silent = known.filter(
    ({ silentSeconds }) => silentSeconds > SILENT_SECONDS_MAX && silentSeconds <= DISPLAYED_SECONDS_MAX,
  );
  const gone = silent.map((one) => `${whereOf(one)} has been silent for ${Math.round(one.silentSeconds)} s`);
  const part = `process ${name}`;
  if (alive.length === 0) {
    if (silent.length > 0) return { part, state: "stuck", detail: gone.join("; ") };
    return { part, state: "missing", detail: "none reports to Postgres" };
  }
  const unrun =
    name === "projector" ? PROJECTOR_PARTS.filter((one) => !alive.some(({ parts }) => parts.includes(one))) : [];
  if (unrun.length > 0) return { part, state: "missing", detail: `none runs ${unrun.join(", ")}` };
  const failing = alive.flatMap((one) => checksOf(one, ({ ok }) => !ok));
  if (failing.length > 0) return { part, state: "away", detail: failing.join("; ") };
  const degraded = alive.flatMap((one) => checksOf(one, ({ isDegraded }) => isDegraded === true));
  const detail = [`${alive.length} running`, ...degraded, ...gone].join("; ");
  return { part, state: degraded.length > 0 ? "degraded" : "ok", detail };
}

type Check = KnownProcess["checks"][string];

function checksOf(one: KnownProcess, isVisible: (check: Check) => boolean): string[] {
  return Object.entries(one.checks)
    .filter(([, check]) => isVisible(check))
    .map(([name, { detail }]) => `${whereOf(one)}: ${name}${detail === undefined ? "" : ` ${detail}`}`);
}

function whereOf({ host, pid }: KnownProcess): string {
  return `${host}/${pid}`;
}
