import type { Session } from "../connection/session.ts";

/** An open transaction that holds the relay back: nothing that committed after it began to write is published before it ends. */
export interface RelayHold {
  /** Null for a prepared transaction. */
  readonly pid: number | null;
  /** Its `application_name`, or the name of a prepared transaction. */
  readonly application: string;
  /** `active`, `idle in transaction`, `prepared`; empty where this role may not see it. */
  readonly state: string;
  /** Milliseconds since 1970. */
  readonly sinceMs: number;
  readonly seconds: number;
}

/** Short transactions hold the relay for instants all the time. */
const HELD_SECONDS_MIN = 10;
/**
 * Every transaction that has written holds a lock on its number, which all roles see. When it began is shown to its own role and to
 * `pg_read_all_stats` alone: the relay's last mark stands in for others. Snapshots that only read, and replication slots, hold nothing here.
 */
const holdStatement = {
  name: "relay_hold",
  text: `SELECT l.pid, COALESCE(a.application_name, 'prepared transaction ' || p.gid, '') AS application,
      CASE WHEN p.gid IS NULL THEN COALESCE(a.state, '') ELSE 'prepared' END AS state,
      (extract(epoch FROM began.at) * 1000)::bigint AS "sinceMs", extract(epoch FROM now() - began.at)::float8 AS seconds
    FROM pg_locks l LEFT JOIN pg_stat_activity a ON a.pid = l.pid LEFT JOIN pg_prepared_xacts p ON p.transaction = l.transactionid,
      LATERAL (SELECT COALESCE(a.xact_start, p.prepared, (SELECT updated_at FROM relay_progress WHERE id = 1)) AS at) began
    WHERE l.locktype = 'transactionid' AND l.mode = 'ExclusiveLock' AND l.granted AND l.pid IS DISTINCT FROM pg_backend_pid()
      AND EXISTS (SELECT FROM outbox WHERE xid >= outbox_xid(pg_snapshot_xmin(pg_current_snapshot())))
    ORDER BY age(l.transactionid) DESC LIMIT 1`,
};

/** Returns the oldest transaction that has held rows of the outbox back, by default for ten seconds and more. */
export async function findRelayHold(
  session: Session,
  secondsMin: number = HELD_SECONDS_MIN,
): Promise<RelayHold | undefined> {
  const [hold] = await session.query<RelayHold>(holdStatement);
  return hold !== undefined && hold.seconds >= secondsMin ? hold : undefined;
}

/** Names the transaction in a sentence. */
export function sentenceOfHold({ pid, application, state, sinceMs }: RelayHold): string {
  const who = pid === null ? application : `a transaction of ${application || "an unnamed program"} (pid ${pid})`;
  const how = state === "" ? "" : `, ${state},`;
  return `${who}${how} has held the relay back since ${new Date(sinceMs).toISOString()}`;
}
