const CREATE_TABLE = /^CREATE TABLE IF NOT EXISTS (\w+) \(/m;
const ALTER_TABLE = /^ALTER TABLE (\w+)\s/m;
const ENGINE = /^ENGINE = (\w*MergeTree)(?:\((.*)\))?$/m;
/** Macros that every server of a cluster defines; `database` and `table` are built in. */
const REPLICA = "'/clickhouse/tables/{shard}/{database}/{table}', '{replica}'";

/** The statements of a migration; each ends in a semicolon at the end of a line, the last one need not. */
export function statementsOf(sql: string): string[] {
  return sql
    .split(/;[ \t]*$/m)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== "");
}

/**
 * A statement as a cluster runs it: on all its servers, replicated, with the replicated deduplication window. Data is replicated, not
 * spread: every shard's macro must be the same. @throws when it is neither `CREATE TABLE … ENGINE = …MergeTree` nor `ALTER TABLE`.
 */
export function onCluster(sql: string, cluster: string): string {
  if (!/^\w+$/.test(cluster)) throw new Error(`${JSON.stringify(cluster)} is no name of a cluster`);
  if (ALTER_TABLE.test(sql)) return sql.replace(ALTER_TABLE, `ALTER TABLE $1 ON CLUSTER '${cluster}' `);
  if (!CREATE_TABLE.test(sql) || !ENGINE.test(sql))
    throw new Error("a statement is an ALTER TABLE or one CREATE TABLE with an engine of the MergeTree family");
  return sql
    .replace(CREATE_TABLE, `CREATE TABLE IF NOT EXISTS $1 ON CLUSTER '${cluster}' (`)
    .replace(
      ENGINE,
      (_, engine: string, args: string | undefined) =>
        `ENGINE = Replicated${engine}(${[REPLICA, args].filter(Boolean).join(", ")})`,
    )
    .replaceAll("non_replicated_deduplication_window", "replicated_deduplication_window");
}
