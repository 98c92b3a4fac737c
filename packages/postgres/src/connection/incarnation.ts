import type { Session } from "./session.ts";

const statement = {
  text: `SELECT concat_ws('/', (SELECT system_identifier FROM pg_control_system()),
    (SELECT oid FROM pg_database WHERE datname = current_database()), (SELECT timeline_id FROM pg_control_checkpoint()),
    extract(epoch FROM pg_postmaster_start_time()), pg_is_in_recovery()) AS incarnation`,
};

/** Returns the system identifier of the cluster and the object id of the database that an incarnation is of, as others note them. */
export function storeOfIncarnation(incarnation: string): string {
  return incarnation.split("/").slice(0, 2).join("/");
}

/** Names one run of one server on one timeline: a restart, a failover or a restored copy is another one. */
export async function readIncarnation(session: Session): Promise<string> {
  const [row] = await session.query<{ incarnation: string }>(statement);
  if (row === undefined) throw new Error("a query without a table answers one row");
  return row.incarnation;
}
