import { plainArray } from "@headwater/postgres/connection/arrays";
import type { Transaction } from "@headwater/postgres/connection/session";

export interface AccountLock {
  readonly account: number;
  /** Nobody else holds it meanwhile. */
  readonly alone: boolean;
}

/** Accounts share so many locks: a transaction never holds more of them, whatever number of accounts it writes for. */
const LOCKS = 64;

const statement = {
  name: "advisory_locks",
  text: `SELECT CASE WHEN alone THEN pg_advisory_xact_lock($1, place) ELSE pg_advisory_xact_lock_shared($1, place) END
    FROM unnest($2::int[], $3::bool[]) AS r (place, alone)`,
};

/**
 * Holds advisory locks of one class to the end of the transaction. Always in the same order, so that no two transactions wait for
 * each other's; whoever waits to be alone is not passed by.
 */
export async function lockAccounts(
  transaction: Transaction,
  lockClass: number,
  accounts: Iterable<AccountLock>,
): Promise<void> {
  const paths = new Map<number, boolean>();
  for (const { account, alone } of accounts) {
    const path = account % LOCKS;
    paths.set(path, alone || paths.get(path) === true);
  }
  if (paths.size === 0) return;
  const sorted = [...paths].sort(([a], [b]) => a - b);
  const values = [plainArray(sorted, ([position]) => position), plainArray(sorted, ([, alone]) => alone)];
  await transaction.query(statement, [lockClass, ...values]);
}
