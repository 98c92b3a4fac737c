import type { Transaction } from "@headwater/postgres/connection/session";

/** Checks and work of contexts above when the settings of an account change. */
export interface AccountHooks {
  /** Checks members of the request that only a context above can. @throws HeadwaterError 422 `VALIDATION_ERROR` with all mistakes. */
  checkChanges(account: number, changes: Readonly<Record<string, unknown>>): Promise<void>;
  /** Runs in the transaction in which the account's time zone or its hours for sends change. */
  sendHoursChanged(transaction: Transaction, account: number): Promise<void>;
}
