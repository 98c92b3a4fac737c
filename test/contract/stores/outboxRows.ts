import type { Session } from "@headwater/postgres/connection/session";
import { type OutboxPosition, type OutboxRow, readOutbox } from "@headwater/postgres/outbox/outbox";
import { vi } from "vitest";

const TIMEOUT_MS = 10_000;

/**
 * Reads as many rows behind a position. Rows are read when no transaction is open that began before theirs, and those of other tests' databases
 * on the same server count.
 */
export function outboxRows(
  session: Session,
  after: OutboxPosition,
  count: number,
): Promise<(OutboxRow & OutboxPosition)[]> {
  const read = async () => {
    const rows = await readOutbox(session, after, count);
    if (rows.length < count) throw new Error(`${rows.length} of ${count} rows of the outbox can be read`);
    return rows;
  };
  return vi.waitFor(read, { timeout: TIMEOUT_MS });
}
