import type { MessagingSettings } from "@headwater/contracts";
import type { SuppressionReason } from "@headwater/records/suppressions/suppressions";
import type { StoredSend } from "../../sends/sendRow.ts";
import { isCapped } from "./caps.ts";
import type { Recipient } from "./facts.ts";
import { quietUntil } from "./quietHours.ts";

export type Verdict =
  | { readonly kind: "send"; readonly address: string }
  | { readonly kind: "skip"; readonly reason: string }
  /** Not now: due again from then. */
  | { readonly kind: "hold"; readonly reason: string; readonly until: number };

export interface Judging {
  readonly settings: MessagingSettings;
  /** Time zone of the recipient. */
  readonly zone: string;
  /** Its template is there. */
  readonly hasMessage: boolean;
  /** The contact is among those that get nothing. */
  readonly isHeldOut: boolean;
  /** Another number of a merged contact got it. */
  readonly isDuplicate: boolean;
  readonly nowMs: number;
}

const FOR_ALL: ReadonlySet<SuppressionReason> = new Set(["manual", "hard-bounce"]);

/** Decides who gets a message, in the order in which reasons count. @param recipient undefined once it was erased. */
export function judge(send: StoredSend, recipient: Recipient | undefined, judging: Judging): Verdict {
  if (recipient === undefined) return { kind: "skip", reason: "erased" };
  const { address } = recipient;
  if (address === undefined || address.trim() === "") return { kind: "skip", reason: "no-address" };
  const reason = whyNot(send, recipient, judging);
  if (reason !== undefined) return { kind: "skip", reason };
  if (send.classification === "promotional" && send.kind !== "t") {
    const { settings, zone, nowMs } = judging;
    const until = quietUntil(settings.quietHours, { channel: send.channel, zone, nowMs });
    if (until !== undefined) return { kind: "hold", reason: "quiet-hours", until };
  }
  return { kind: "send", address };
}

function whyNot(send: StoredSend, recipient: Recipient, judging: Judging): string | undefined {
  const { settings, hasMessage, isHeldOut, isDuplicate, nowMs } = judging;
  const { channel, classification, kind } = send;
  const isPromotional = classification === "promotional";
  if (!recipient.isValid) return "invalid-address";
  if (isSuppressed(recipient.suppressed, isPromotional)) return "suppressed";
  const isCounted = kind !== "t" && isPromotional;
  if (isCounted && recipient.status !== "subscribed") return "not-subscribed";
  if (isDuplicate) return "duplicate";
  if (isHeldOut) return "holdout";
  if (isCounted && isCapped(settings.caps, recipient.counted, { channel, nowMs })) return "capped";
  if (send.expiresAt != null && nowMs > send.expiresAt) return "expired";
  return hasMessage ? undefined : "template-deleted";
}

/** Returns whether reasons hold for a message: complaints and what an erasure left for promotional ones alone. */
export function isSuppressed(reasons: readonly SuppressionReason[], isPromotional: boolean): boolean {
  return reasons.some((reason) => isPromotional || FOR_ALL.has(reason));
}
