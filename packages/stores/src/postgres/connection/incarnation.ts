import type { Session } from "./session.ts";

const statement = {
  text: `SELECT concat_ws('/', (SELECT system_identifier FROM pg_control_system()), (SELECT timeline_id FROM pg_control_checkpoint()),
    extract(epoch FROM pg_postmaster_start_time()), pg_is_in_recovery()) AS incarnation`,
};

/** Returns the system identifier of the cluster that an incarnation is of. */
export function systemIdentifierOf(incarnation: string): string {
  return incarnation.split("/", 1)[0] ?? incarnation;
}

/** Names one run of one server on one timeline: a restart, a failover or a restored copy is another one. */
export async function readIncarnation(session: Session): Promise<string> {
  const [row] = await session.query<{ incarnation: string }>(statement);
  if (row === undefined) throw new Error("a query without a table answers one row");
  return row.incarnation;
}
