import type { Account } from "@headwater/contracts";
import type { StateReads } from "../fold/stateReads.ts";

/** Rows of state that a record reads. */
export interface RecordReads {
  readonly account: Pick<Account, "number">;
  readonly reads: StateReads;
  /** Version of a record of the log, which may come again. */
  readonly version?: string;
}
