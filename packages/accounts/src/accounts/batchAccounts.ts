import type { Transaction } from "@headwater/postgres/connection/session";
import { lockAccounts } from "./accountLocks.ts";

/** A class of advisory locks of its own. */
const LOCK_CLASS = 7_238_413;

/**
 * Holds the accounts of a batch to the end of its transaction. Batches share them; one that lost a deadlock holds them alone, for
 * partitions that merge the same contacts again and again would deadlock each time, a second each.
 */
export function lockBatchAccounts(
  transaction: Transaction,
  accounts: ReadonlySet<number>,
  alone: boolean,
): Promise<void> {
  return lockAccounts(
    transaction,
    LOCK_CLASS,
    [...accounts].map((account) => ({ account, alone })),
  );
}
