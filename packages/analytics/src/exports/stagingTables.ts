import { STAGING_PREFIX } from "@headwater/clickhouse/staging";
import { readRunning } from "@headwater/jobs/queue/jobs";
import type { Attempt, JobPorts } from "@headwater/jobs/runner/jobKind";
import { exportProgress } from "./progress.ts";
import { dropTable } from "./stagingTable.ts";

const DROP_TIMEOUT_MS = 60_000;

interface Attempts {
  readonly from: number;
  readonly to: number;
}

const ALL: Attempts = { from: 0, to: 2 ** 31 };

type Ports = Pick<JobPorts, "clickhouse" | "bulk">;

/** Drops the staging tables of a job that is over. */
export function dropTablesOf(ports: Ports, jobId: string): Promise<void> {
  return dropTables(ports, jobId, ALL);
}

/** Drops the staging tables of an attempt and of those before it. A later one, which has the job by now, keeps its own. */
export function dropTablesUpTo(ports: Ports, { jobId, attempt }: Attempt): Promise<void> {
  return dropTables(ports, jobId, { from: 0, to: attempt });
}

/** Drops the staging tables of an attempt that lost its job, unless the worker that has it now writes files from them. */
export async function dropLostTables(
  { jobId, attempt }: Attempt,
  { postgres, ...ports }: Ports & Pick<JobPorts, "postgres">,
): Promise<void> {
  const now = await readRunning(postgres, jobId);
  if (now === undefined) return dropTablesOf(ports, jobId);
  const isMine = (table: string) => table.startsWith(`${STAGING_PREFIX}${jobId}_${attempt}_`);
  if (!tablesIn(now.progress).some(isMine)) await dropTables(ports, jobId, { from: attempt, to: attempt });
}

function tablesIn(progress: unknown): string[] {
  const at = exportProgress.safeParse(progress).data;
  return at !== undefined && "parts" in at ? at.parts.map(({ table }) => table) : [];
}

/** The attempt in the name of a staging table; 0 when there is none. */
const attemptIn = (text: string) => `toUInt32OrZero(extract(${text}, {pattern: String}))`;
const bounds = "BETWEEN {from: UInt32} AND {to: UInt32}";
const tablesStatement = `SELECT name FROM system.tables
  WHERE database = currentDatabase() AND startsWith(name, {prefix: String}) AND ${attemptIn("name")} ${bounds}`;
/** An INSERT goes on when its client is gone. KILL QUERY leaves itself out. */
const endStatement = `KILL QUERY WHERE position(query, {prefix: String}) > 0 AND ${attemptIn("query")} ${bounds} ASYNC`;

/** Ends the queries that fill the staging tables of some attempts or read them, and drops the tables. */
async function dropTables({ clickhouse, bulk }: Ports, jobId: string, attempts: Attempts): Promise<void> {
  const prefix = `${STAGING_PREFIX}${jobId}_`;
  const params = { prefix, pattern: `${prefix}([0-9]+)`, ...attempts };
  await clickhouse.command(endStatement, params);
  for (const { name } of await clickhouse.query<{ name: string }>(tablesStatement, params))
    await dropTable(bulk, name, AbortSignal.timeout(DROP_TIMEOUT_MS));
}
