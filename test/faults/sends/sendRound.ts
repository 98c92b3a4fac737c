/** One message, and what happens while it is sent. */
export interface SendRound {
  readonly classification: "promotional" | "transactional";
  readonly faults: readonly string[];
  /** It is canceled behind the first fault. */
  readonly isCanceled: boolean;
  /** People are unsubscribed, merged and erased while it is paused. */
  readonly isDisturbed: boolean;
}
