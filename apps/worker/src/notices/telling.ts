import type { Account } from "@headwater/contracts";
import type { Job } from "@headwater/stores/jobs";

/** A notice with all that its message is made of. */
export interface Telling {
  readonly job: Job;
  readonly account: Account;
  /** The URL or address, opened. */
  readonly target: string;
}

/** End of one attempt. `failed` is tried again, after `retryAfterMs` at the soonest; `refused` never. */
export type Told = { readonly kind: "told" | "refused" } | { readonly kind: "failed"; readonly retryAfterMs?: number };
