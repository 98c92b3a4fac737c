import type { Account } from "@headwater/contracts";
import type { Job } from "../queue/jobs.ts";

/** A notice with its opened target and all that its message is made of. */
export interface OpenedNotice {
  readonly job: Job;
  readonly account: Account;
  /** The URL or address, opened. */
  readonly target: string;
}

/** End of one attempt. `failed` is tried again, after `retryAfterMs` at the soonest; `refused` never. */
export type NoticeOutcome =
  | { readonly kind: "delivered" | "refused" }
  | { readonly kind: "failed"; readonly retryAfterMs?: number };
