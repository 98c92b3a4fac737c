const CREATE_TABLE = /^CREATE TABLE IF NOT EXISTS (\w+) \(/m;
/** Statements that take `ON CLUSTER` behind what they name. */
const ON_ALL_SERVERS: readonly (readonly [RegExp, string])[] = [
  [/^ALTER TABLE (\w+)\s/m, "ALTER TABLE $1"],
  [/^EXCHANGE TABLES (\w+) AND (\w+)\s*/m, "EXCHANGE TABLES $1 AND $2"],
  [/^DROP TABLE IF EXISTS (\w+)\s*/m, "DROP TABLE IF EXISTS $1"],
];
const INSERT = /^INSERT INTO \w+ \(/m;
const CONDITION = /^-- when: (SELECT .*)$/m;
const EACH = /^-- each: (SELECT .*)$/m;
const DONE = /^-- done: (INSERT INTO .*)$/m;
const ENGINE = /^ENGINE = (\w*MergeTree)(?:\((.*)\))?$/m;
/** Macros that every server of a cluster defines; `database` and `table` are built in. */
const REPLICA = "'/clickhouse/tables/{shard}/{database}/{table}', '{replica}'";

/** Splits a migration into statements. Each ends in a semicolon at the end of a line; the last one may leave it out. */
export function statementsOf(sql: string): string[] {
  return sql
    .split(/;[ \t]*$/m)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== "");
}

/** Returns the query whose only value decides whether the statement runs: the comment `-- when: SELECT …` above it. */
export function conditionOf(statement: string): string | undefined {
  return CONDITION.exec(statement)?.[1];
}

/** Steps of a statement that runs many times, each with the values of one step as its parameters. */
export interface Steps {
  /** Query that selects the next step that is left, or no row. */
  readonly next: string;
  /** Statement, with the same parameters, that makes a step one that is done. */
  readonly done: string;
}

/** Returns the comments `-- each: SELECT …` and `-- done: INSERT INTO …` above a statement. @throws for one without the other. */
export function stepsOf(statement: string): Steps | undefined {
  const next = EACH.exec(statement)?.[1];
  const done = DONE.exec(statement)?.[1];
  if (next === undefined && done === undefined) return undefined;
  if (next === undefined || done === undefined) throw new Error("a statement of steps has `-- each:` and `-- done:`");
  return { next, done };
}

/** Returns the clause by which a statement runs on all servers of a cluster: behind what it names, and empty on a single server. */
export function clusterClause(cluster: string | undefined): string {
  return cluster === undefined ? "" : ` ON CLUSTER '${cluster}'`;
}

/**
 * Rewrites a statement for a cluster: on all its servers, replicated, with the replicated deduplication window. Data is replicated, not
 * sharded: every server has the same shard macro. @throws for a kind of statement that no migration needs.
 */
export function onCluster(sql: string, cluster: string): string {
  if (!/^\w+$/.test(cluster)) throw new Error(`${JSON.stringify(cluster)} is no name of a cluster`);
  for (const [kind, text] of ON_ALL_SERVERS)
    if (kind.test(sql)) return sql.replace(kind, `${text}${clusterClause(cluster)} `);
  // Rows are replicated wherever they are inserted.
  if (INSERT.test(sql)) return sql;
  if (!CREATE_TABLE.test(sql) || !ENGINE.test(sql))
    throw new Error(
      "a statement alters, exchanges, drops or fills tables, or creates one with an engine of the MergeTree family",
    );
  return sql
    .replace(CREATE_TABLE, `CREATE TABLE IF NOT EXISTS $1${clusterClause(cluster)} (`)
    .replace(
      ENGINE,
      (_, engine: string, args: string | undefined) =>
        `ENGINE = Replicated${engine}(${[REPLICA, args].filter(Boolean).join(", ")})`,
    )
    .replaceAll("non_replicated_deduplication_window", "replicated_deduplication_window");
}
