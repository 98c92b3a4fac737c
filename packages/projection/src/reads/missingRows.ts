import type { Account } from "@headwater/contracts";
import type { StateReads } from "@headwater/domain";

/** A record as far as its look-ups go. */
export interface Asking {
  readonly account: Pick<Account, "number">;
  readonly lookups: StateReads;
  /** Of a record of the log: it may come again. */
  readonly version?: string;
}
