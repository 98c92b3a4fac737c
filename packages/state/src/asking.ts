import type { Account } from "@headwater/contracts";
import type { Lookups } from "@headwater/operations";

/** A record as far as its look-ups go. */
export interface Asking {
  readonly account: Pick<Account, "number">;
  readonly lookups: Lookups;
  /** Of a record of the log: it may come again. */
  readonly version?: string;
}
