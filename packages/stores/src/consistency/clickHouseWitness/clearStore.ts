import type { ClickHouse } from "../../clickhouse/clickhouse.ts";
import { clickHouseTables } from "../../clickhouse/tables/index.ts";

/** Tables that stay: nothing else knows which files hold a contact. */
const KEPT: ReadonlySet<string> = new Set(["exported_contacts"]);
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
  const onCluster = cluster === undefined ? "" : ` ON CLUSTER '${cluster}'`;
  for (const { name } of clickHouseTables) {
    if (KEPT.has(name) || (tables === "present" && !PRESENT(name))) continue;
    const sql = `TRUNCATE TABLE ${name}${onCluster} SETTINGS max_table_size_to_drop = 0`;
    await clickhouse.command(sql, {}, { timeoutMs: CLEAR_TIMEOUT_MS });
  }
}
