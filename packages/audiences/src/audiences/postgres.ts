import { createResourceTable, type RowOf } from "@headwater/postgres/connection/resourceTable";
import type { Session, Transaction } from "@headwater/postgres/connection/session";

/** Saved audiences, in order of (time of creation, key), of (name, key) or of key alone. */
export const audiences = createResourceTable({
  name: "audiences",
  key: "key",
  alias: "id",
  members: {
    id: "text",
    name: "text",
    description: "text | null",
    tags: "text[] | null",
    /** JSON text. */
    criteria: "text",
    /** JSON text: the ids of the lists that the criteria name by name. */
    lists: "text",
    lastCount: "integer | null",
    /** Milliseconds since 1970. */
    lastCountAsOf: "integer | null",
    countedAt: "integer | null",
  },
  large: "criteria",
});

export type StoredAudience = RowOf<typeof audiences>;

const countedStatement = {
  name: "audiences_counted",
  text: `UPDATE audiences SET last_count = $4, last_count_as_of = $5, counted_at = $6
    WHERE account = $1 AND id = $2 AND criteria = $3 AND (counted_at IS NULL OR counted_at <= $6 - $7::bigint)`,
};
/** A class of advisory locks of its own. */
const LOCK_CLASS = 7_238_410;
const accountLock = { name: "audiences_account_lock", text: "SELECT pg_advisory_xact_lock($1::int, $2::int)" };

/** Held to the end of the transaction: no audience of the account is written until then, so no two writes make a cycle together. */
export async function lockAudiences(transaction: Transaction, account: number): Promise<void> {
  await transaction.query(accountLock, [LOCK_CLASS, account]);
}

/** A count of an audience as it was defined when it was counted. */
export interface AudienceCount extends Pick<StoredAudience, "account" | "id" | "criteria"> {
  readonly count: number;
  /** Milliseconds since 1970. */
  readonly asOf: number;
}

/** Written once in so many milliseconds at most; a count of a definition of before is left out. */
export async function setLastCount(
  session: Session,
  { account, id, criteria, count, asOf }: AudienceCount,
  { nowMs, everyMs }: { readonly nowMs: number; readonly everyMs: number },
): Promise<void> {
  await session.execute(countedStatement, [account, id, criteria, count, asOf, nowMs, everyMs]);
}
