import type { Session } from "@headwater/postgres/connection/session";
import type { PublishedOffsets } from "@headwater/postgres/outbox/outbox";

/**
 * Rows are published in order of (transaction id, position), and positions of transactions that do not meet may lie the
 * other way round; so the position of the relay says nothing, and what is left above it is checked.
 */
const statement = {
  name: "service_published",
  text: `SELECT r.offsets, (
      SELECT min(o.position) FROM outbox o WHERE (o.xid, o.position) > (r.xid, r.position) AND o.position <= $1
    ) AS "firstWaiting" FROM relay_progress r WHERE r.id = 1`,
};

export interface Published {
  readonly offsets: PublishedOffsets;
  /** Lowest outbox position that is not published, null when all up to the one asked for are. */
  readonly firstWaiting: number | null;
}

/** Next offsets of the change topics after all that was published, and what is not up to the position, in one snapshot. */
export async function readPublished(session: Session, position: number): Promise<Published> {
  const [row] = await session.query<{ offsets: string; firstWaiting: number | null }>(statement, [position]);
  if (row === undefined) throw new Error("relay_progress has one row");
  const offsets: PublishedOffsets = JSON.parse(row.offsets);
  return { offsets, firstWaiting: row.firstWaiting };
}

const outboxStatement = {
  name: "service_outbox_age",
  text: `SELECT CASE WHEN EXISTS (SELECT FROM outbox o WHERE (o.xid, o.position) > (r.xid, r.position))
      THEN GREATEST(0, extract(epoch FROM now() - r.updated_at))::float8 ELSE 0 END AS seconds FROM relay_progress r WHERE r.id = 1`,
};

/** Returns for how many seconds the relay has published nothing although rows wait; 0 when none do. */
export async function readOutboxSeconds(session: Session): Promise<number> {
  const [row] = await session.query<{ seconds: number }>(outboxStatement);
  return row?.seconds ?? 0;
}
