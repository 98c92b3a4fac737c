import type { Postgres } from "@headwater/postgres/connection/postgres";
import type { Session } from "@headwater/postgres/connection/session";

/**
 * Runs the reads of one answer in one snapshot of the store, whatever is written between them. Without it a total could be below what is shown, and a
 * job in another state than was asked for; it costs 0.3 ms, so an answer of one statement needs none.
 */
export function withSnapshot<Result>(
  postgres: Pick<Postgres, "transaction">,
  read: (session: Session) => Promise<Result>,
): Promise<Result> {
  return postgres.transaction(read, { isSnapshot: true });
}
