import { STAGING_PREFIX } from "@headwater/clickhouse/staging";
import type { JobPorts } from "@headwater/jobs/runner/jobKind";
import type { Exporting } from "./exporting.ts";
import type { PartDefinition, StagedPart } from "./exportKind.ts";
import type { Part } from "./progress.ts";
import { createStagingTable, cutFile } from "./stagingTable.ts";
import { dropTablesUpTo } from "./stagingTables.ts";

export interface StagedParts {
  readonly parts: readonly Part[];
  readonly totalItems: number;
}

/** Has the kind stage its rows, in new tables: those of earlier attempts go first. */
export async function stageParts(work: Exporting, ports: JobPorts): Promise<StagedParts> {
  const { jobId, account, nowMs, signal, attempt } = work;
  const { postgres, clickhouse, bulk, clock, logger } = ports;
  await dropTablesUpTo(ports, { jobId, attempt });
  const made: { readonly definition: PartDefinition; readonly staged: StagedPart }[] = [];
  const part = async (definition: PartDefinition) => {
    const at = { jobId, attempt: String(attempt), place: made.length, columns: definition.columns };
    const staged = await createStagingTable({ ...at, bulk, clickhouse, signal });
    made.push({ definition, staged });
    return staged;
  };
  const scratch = (name: string) => `${STAGING_PREFIX}${jobId}_${attempt}_${name}`;
  await work.stage({ scratch, jobId, account, nowMs, signal, postgres, clickhouse, bulk, clock, logger, part });
  const parts: Part[] = [];
  for (const { definition, staged } of made) {
    const { rows } = await cutFile(clickhouse, { table: staged.table, from: 0, rowsMax: 0, signal });
    parts.push({ ...definition, columns: [...definition.columns], table: staged.table, rows });
  }
  return { parts, totalItems: parts.reduce((sum, { rows }) => sum + rows, 0) };
}
