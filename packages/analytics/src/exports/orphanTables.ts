import { STAGING_PREFIX } from "@headwater/clickhouse/staging";
import { readAttempt } from "@headwater/jobs/queue/jobs";
import type { JobPorts } from "@headwater/jobs/runner/jobKind";
import { dropTablesOf } from "./stagingTables.ts";

const statement = `SELECT DISTINCT substring(name, {from: UInt32}, 24) AS job FROM system.tables
  WHERE database = currentDatabase() AND startsWith(name, {prefix: String})`;

/** Drops the staging tables of jobs that are over: those of jobs that nobody could tidy up after, for want of ClickHouse. */
export async function dropOrphanTables(ports: Pick<JobPorts, "postgres" | "clickhouse" | "bulk">): Promise<void> {
  const params = { prefix: STAGING_PREFIX, from: STAGING_PREFIX.length + 1 };
  for (const { job } of await ports.clickhouse.query<{ job: string }>(statement, params)) {
    if ((await readAttempt(ports.postgres, job)) === undefined) await dropTablesOf(ports, job);
  }
}
