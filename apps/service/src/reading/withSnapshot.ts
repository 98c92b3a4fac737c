import type { Postgres, Session } from "@headwater/stores/postgres";

/** Reads of one answer that see one moment of the store, whatever is written between them. */
export function withSnapshot<Result>(
  postgres: Pick<Postgres, "transaction">,
  read: (session: Session) => Promise<Result>,
): Promise<Result> {
  return postgres.transaction(read, { isSnapshot: true });
}
