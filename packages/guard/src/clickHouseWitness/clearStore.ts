import type { ClickHouse } from "@headwater/clickhouse/clickhouse";
import { clusterClause, onCluster } from "@headwater/clickhouse/cluster";
import { STAGING_PREFIX } from "@headwater/clickhouse/staging";
import { clickHouseTables } from "@headwater/clickhouse/tables/index";

/** Tables that stay: nothing else knows which files hold a contact. */
const STORED: ReadonlySet<string> = new Set(["exported_contacts"]);
const CLEAR_TIMEOUT_MS = 300_000;

/** Tables of the present: what they say of a time before is wrong. */
const PRESENT = (name: string) => name.endsWith("_current") || name === "contact_aliases";

/**
 * Empties the tables that are written again. May run twice.
 * @param tables all of them, or those of the present state alone.
 */
export async function clearStore(
  clickhouse: ClickHouse,
  { tables, cluster }: { readonly tables: "all" | "present"; readonly cluster: string | undefined },
): Promise<void> {
  for (const { name } of clickHouseTables) {
    if (STORED.has(name) || (tables === "present" && !PRESENT(name))) continue;
    const sql = `TRUNCATE TABLE ${name}${clusterClause(cluster)} SETTINGS max_table_size_to_drop = 0`;
    await clickhouse.command(sql, {}, { timeoutMs: CLEAR_TIMEOUT_MS });
  }
}

/**
 * Drops the tables in which jobs have staged rows: what they hold was read from the store as it was, and a copy may hold them in part.
 * Their jobs stage again.
 */
export async function dropStagingTables(clickhouse: ClickHouse, cluster: string | undefined): Promise<void> {
  const source = cluster === undefined ? "system.tables" : `clusterAllReplicas('${cluster}', system.tables)`;
  const sql = `SELECT DISTINCT name FROM ${source} WHERE database = currentDatabase() AND startsWith(name, {prefix: String})`;
  const tables = await clickhouse.query<{ name: string }>(sql, { prefix: STAGING_PREFIX });
  for (const { name } of tables) {
    const drop = `DROP TABLE IF EXISTS ${name} SYNC SETTINGS max_table_size_to_drop = 0`;
    await clickhouse.command(
      cluster === undefined ? drop : onCluster(drop, cluster),
      {},
      { timeoutMs: CLEAR_TIMEOUT_MS },
    );
  }
}
