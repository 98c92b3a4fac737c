import type { Account } from "@headwater/contracts";
import type { StateReads } from "@headwater/domain";

/** A record as far as its look-ups go. */
export interface Asking {
  readonly account: Pick<Account, "number">;
  readonly lookups: StateReads;
  /** Version of a record of the log, which may come again. */
  readonly version?: string;
}
