import type { JobPorts } from "../runner/jobKind.ts";
import { JobLost } from "../runner/whileOwned.ts";
import type { Exporting } from "./exporting.ts";
import type { PartDefinition, StagedPart } from "./exportKind.ts";
import type { Part } from "./progress.ts";
import { createStagingTable, cutFile, dropTable, STAGING_PREFIX } from "./stagingTable.ts";

export interface StagedParts {
  readonly parts: readonly Part[];
  readonly totalItems: number;
}

/** Has the kind stage its rows. When that fails its tables are dropped at once; those of a killed worker by the next one, or housekeeping. */
export async function stageParts(work: Exporting, ports: JobPorts): Promise<StagedParts> {
  const { jobId, account, nowMs, signal, attempt } = work;
  const { postgres, clickhouse, bulk, clock, logger } = ports;
  await dropTablesOf(ports, jobId);
  const made: { readonly definition: PartDefinition; readonly staged: StagedPart }[] = [];
  const part = async (definition: PartDefinition) => {
    const at = { jobId, attempt: String(attempt), place: made.length, columns: definition.columns };
    const staged = await createStagingTable({ ...at, bulk, clickhouse, signal });
    made.push({ definition, staged });
    return staged;
  };
  const scratch = (name: string) => `${STAGING_PREFIX}${jobId}_${attempt}_${name}`;
  try {
    await work.stage({ scratch, jobId, account, nowMs, signal, postgres, clickhouse, bulk, clock, logger, part });
    const parts: Part[] = [];
    for (const { definition, staged } of made) {
      const { rows } = await cutFile(clickhouse, { table: staged.table, from: 0, rowsMax: 0, signal });
      parts.push({ ...definition, columns: [...definition.columns], table: staged.table, rows });
    }
    return { parts, totalItems: parts.reduce((sum, { rows }) => sum + rows, 0) };
  } catch (error) {
    if (signal.reason instanceof JobLost) await dropTablesOf(ports, jobId);
    throw error;
  }
}

const tablesStatement = `SELECT name FROM system.tables
  WHERE database = currentDatabase() AND startsWith(name, {prefix: String})`;
const DROP_TIMEOUT_MS = 60_000;
/** An INSERT goes on when its client is gone. KILL QUERY leaves itself out. */
const endStatement = "KILL QUERY WHERE position(query, {prefix: String}) > 0 ASYNC";

/** Ends the queries that fill the staging tables of a job or read them, and drops the tables, also those that an earlier attempt left. */
export async function dropTablesOf(
  { clickhouse, bulk }: Pick<JobPorts, "clickhouse" | "bulk">,
  jobId: string,
): Promise<void> {
  const prefix = `${STAGING_PREFIX}${jobId}_`;
  await clickhouse.command(endStatement, { prefix });
  const tables = await clickhouse.query<{ name: string }>(tablesStatement, { prefix });
  for (const { name } of tables) await dropTable(bulk, name, AbortSignal.timeout(DROP_TIMEOUT_MS));
}
