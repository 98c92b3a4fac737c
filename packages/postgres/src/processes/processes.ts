import type { HealthCheck } from "@headwater/kernel";
import type { Session } from "../connection/session.ts";

/** Processes of an installation. Any number of each runs, on any machine. */
export const PROCESS_NAMES = ["ingress", "projector", "service", "worker", "sender", "tracker", "automation"] as const;
export type ProcessName = (typeof PROCESS_NAMES)[number];

export interface ProcessReport {
  readonly id: string;
  readonly name: ProcessName;
  readonly host: string;
  readonly pid: number;
  /** Parts of the work that it does, where a process does not do all of it. */
  readonly parts: readonly string[];
  readonly checks: Readonly<Record<string, HealthCheck>>;
}

export interface KnownProcess extends Omit<ProcessReport, "name"> {
  readonly name: string;
  /** Seconds since its last report, by the clock of Postgres. */
  readonly silentSeconds: number;
}

interface ProcessRow extends Omit<KnownProcess, "parts" | "checks"> {
  readonly parts: string;
  readonly checks: string;
}

const reportStatement = {
  name: "processes_report",
  text: `INSERT INTO processes (id, name, host, pid, parts, checks) VALUES ($1, $2, $3, $4, $5, $6)
    ON CONFLICT (id) DO UPDATE SET checks = EXCLUDED.checks, seen_at = now()`,
};
const deleteStatement = { name: "processes_delete", text: "DELETE FROM processes WHERE id = $1" };
const deleteSilentStatement = {
  name: "processes_delete_silent",
  text: "DELETE FROM processes WHERE seen_at < now() - make_interval(secs => $1)",
};
const readStatement = {
  name: "processes_read",
  text: `SELECT id, name, host, pid, parts, checks, extract(epoch FROM now() - seen_at)::float8 AS "silentSeconds"
    FROM processes ORDER BY name, started_at, id`,
};

/** Says that a process lives, and how its checks are. */
export async function reportProcess(session: Session, report: ProcessReport): Promise<void> {
  const { id, name, host, pid, parts, checks } = report;
  await session.execute(reportStatement, [id, name, host, pid, parts.join(","), JSON.stringify(checks)]);
}

/** Forgets a process that has stopped. */
export async function deleteProcess(session: Session, id: string): Promise<void> {
  await session.execute(deleteStatement, [id]);
}

/** Forgets processes that were silent for so long: killed ones, on machines that may not come back. */
export async function deleteSilentProcesses(session: Session, silentSeconds: number): Promise<void> {
  await session.execute(deleteSilentStatement, [silentSeconds]);
}

export async function readProcesses(session: Session): Promise<KnownProcess[]> {
  const rows = await session.query<ProcessRow>(readStatement);
  return rows.map(({ parts, checks, ...row }) => ({
    ...row,
    parts: parts === "" ? [] : parts.split(","),
    checks: JSON.parse(checks),
  }));
}
