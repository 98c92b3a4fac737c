import type { Postgres, Session } from "@headwater/stores/postgres";

/** Runs the reads of one answer in one snapshot of the store, whatever is written between them. */
export function withSnapshot<Result>(
  postgres: Pick<Postgres, "transaction">,
  read: (session: Session) => Promise<Result>,
): Promise<Result> {
  return postgres.transaction(read, { isSnapshot: true });
}
