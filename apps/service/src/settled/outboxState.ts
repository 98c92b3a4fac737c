import type { PublishedOffsets, Session } from "@headwater/stores";

/** How far the outbox has been published, seen at one moment. */
export interface OutboxState {
  /** Some row at or below the position asked for is not published yet. */
  readonly waiting: boolean;
  /** Next offsets of the change topics after all that was published. */
  readonly offsets: PublishedOffsets;
}

/**
 * Rows are published in order of (transaction id, position), and positions of transactions that do not meet may lie the
 * other way round; so the position of the relay says nothing, and what is left above it is looked at.
 */
const statement = {
  name: "service_outbox_state",
  text: `SELECT r.offsets, EXISTS (
      SELECT FROM outbox o WHERE (o.xid, o.position) > (r.xid, r.position) AND o.position <= $1
    ) AS waiting FROM relay_progress r WHERE r.id = 1`,
};

export async function readOutboxState(session: Session, position: number): Promise<OutboxState> {
  const [row] = await session.query<{ offsets: string; waiting: boolean }>(statement, [position]);
  if (row === undefined) throw new Error("relay_progress has one row");
  const offsets: PublishedOffsets = JSON.parse(row.offsets);
  return { waiting: row.waiting, offsets };
}
