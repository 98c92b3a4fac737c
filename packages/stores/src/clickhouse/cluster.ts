const CREATE_TABLE = /^CREATE TABLE IF NOT EXISTS (\w+) \(/m;
const ENGINE = /^ENGINE = (\w*MergeTree)(?:\((.*)\))?$/m;
/** Macros that every server of a cluster defines; `database` and `table` are built in. */
const REPLICA = "'/clickhouse/tables/{shard}/{database}/{table}', '{replica}'";

/**
 * A migration as a cluster runs it: on all its servers, replicated, with the replicated deduplication window. Data is replicated, not
 * spread: every shard's macro must be the same. @throws when the text is not `CREATE TABLE … ENGINE = …MergeTree`.
 */
export function onCluster(sql: string, cluster: string): string {
  if (!/^\w+$/.test(cluster)) throw new Error(`${JSON.stringify(cluster)} is no name of a cluster`);
  if (!CREATE_TABLE.test(sql) || !ENGINE.test(sql))
    throw new Error("a migration is one CREATE TABLE with an engine of the MergeTree family");
  return sql
    .replace(CREATE_TABLE, `CREATE TABLE IF NOT EXISTS $1 ON CLUSTER '${cluster}' (`)
    .replace(
      ENGINE,
      (_, engine: string, args: string | undefined) =>
        `ENGINE = Replicated${engine}(${[REPLICA, args].filter(Boolean).join(", ")})`,
    )
    .replaceAll("non_replicated_deduplication_window", "replicated_deduplication_window");
}
