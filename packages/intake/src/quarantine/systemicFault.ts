/** Number of poison records that are never taken for a fault of the system. */
const POISON_FEW_MAX = 10;
/** Share of a batch up to which it is the records that are wrong. */
const POISON_SHARE_MAX = 0.01;
/** Poison of fewer accounts may come from one hostile sender and a neighbour. */
const POISON_ACCOUNTS_MIN = 3;
/** Share of the batch's accounts that a fault of the system hits at least. */
const POISON_ACCOUNTS_SHARE_MIN = 0.5;

export interface PoisonCount {
  /** Accounts of all records of the batch, one entry a record. */
  readonly accounts: readonly number[];
  /** Accounts of its poison records, one entry a record. */
  readonly poison: readonly number[];
}

/**
 * Distinguishes a systemic fault, for which a process stops loudly, from poison records, which are quarantined. A fault shows in
 * breadth: much of the batch, and most of its accounts. What one account sends, however much of it, never stops the others: its
 * poison records are dead letters, which lose nothing and can be redriven once the defect is mended.
 */
export function isSystemicFault({ accounts, poison }: PoisonCount): boolean {
  if (poison.length <= Math.max(POISON_FEW_MAX, accounts.length * POISON_SHARE_MAX)) return false;
  const hit = new Set(poison).size;
  return hit >= POISON_ACCOUNTS_MIN && hit >= new Set(accounts).size * POISON_ACCOUNTS_SHARE_MIN;
}
