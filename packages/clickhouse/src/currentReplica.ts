import { HeadwaterError } from "@headwater/kernel";
import type { ClickHouse } from "./clickhouse.ts";

/**
 * Returns whether the replica that answers lacks inserts which others have taken: log entries it has not copied, or parts it has not
 * fetched. A log without entries looks like one whose only entry was not copied; the former is assumed.
 */
const statusStatement = `SELECT replica_name AS replica, is_readonly OR inserts_in_queue > 0
    OR (log_max_index > 0 AND log_pointer <= log_max_index) AS isBehind
  FROM system.replicas WHERE database = currentDatabase() AND table = {replicated: String}`;
const answeringReplica =
  "(SELECT any(replica_name) FROM system.replicas WHERE database = currentDatabase() AND table = {replicated: String})";

/** A query that answers one row. */
export interface RowQuery {
  readonly table: string;
  readonly sql: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly timeoutMs?: number;
}

interface Status {
  readonly replica: string;
  readonly isBehind: number;
}

/**
 * Reads a row of a table from a replica that holds everything inserted before: what a count finds missing is inserted again, so a
 * replica that lags must not be believed. Behind a load balancer the two questions may reach two replicas; then neither answer counts.
 * Tables that are not replicated are always current.
 * @throws HeadwaterError 503, retriable, when the replica lags or another one answered.
 */
export async function readFromCurrentReplica<Row extends object>(
  clickhouse: Pick<ClickHouse, "query">,
  { table, sql, params = {}, timeoutMs }: RowQuery,
): Promise<Row> {
  const [status] = await clickhouse.query<Status>(statusStatement, { replicated: table });
  if (status?.isBehind === 1) throw behind(`The replica ${status.replica} of ${table} lacks rows that others hold.`);
  const [row] = await clickhouse.query<Row & Pick<Status, "replica">>(
    `SELECT *, ${answeringReplica} AS replica FROM (${sql})`,
    { ...params, replicated: table },
    timeoutMs === undefined ? {} : { timeoutMs },
  );
  if (row === undefined) throw new Error("an aggregate without GROUP BY answers one row");
  if (row.replica !== (status?.replica ?? ""))
    throw behind(`Another replica of ${table} answered than was asked before.`);
  return row;
}

function behind(publicMessage: string): HeadwaterError {
  return new HeadwaterError({ code: "SERVICE_UNAVAILABLE", status: 503, publicMessage, retriable: true });
}
