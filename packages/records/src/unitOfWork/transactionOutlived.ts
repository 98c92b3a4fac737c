/**
 * The store ended a transaction because the work of this process between two of its statements took too long. What the transaction
 * works on is to blame, not the store: with less of it, or without one record, it may pass.
 */
export class TransactionOutlived extends Error {
  /** @param ownMs longest time without a statement, in milliseconds of a core. */
  constructor(ownMs: number) {
    super(`the transaction was ended after ${Math.round(ownMs)} ms of work without a statement`);
  }
}
