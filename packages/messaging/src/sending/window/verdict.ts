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
export function judge(send: DecidedSend, recipient: Recipient | undefined, judging: Judging): Verdict {
  if (recipient === undefined) return { kind: "skip", reason: "erased" };
  const { address } = recipient;
  if (address === undefined || address.trim() === "") return { kind: "skip", reason: "no-address" };
  for (const reason of reasonsAgainst(send, recipient, judging)) return { kind: "skip", reason };
  const until = quietHoursEnd(send, judging);
  return until === undefined ? { kind: "send", address } : { kind: "hold", reason: "quiet-hours", until };
}

/** Returns the end of the quiet hours that hold a send now, undefined outside of them. */
export function quietHoursEnd(
  { channel, classification, kind }: DecidedSend,
  { settings, zone, nowMs }: Judging,
): number | undefined {
  if (classification !== "promotional" || kind === "t") return undefined;
  return quietUntil(settings.quietHours, { channel, zone, nowMs });
}

/** Members of a send that decide who gets it. */
export type DecidedSend = Pick<StoredSend, "channel" | "classification" | "kind" | "expiresAt">;

/** Yields every reason why a recipient with an address gets no message, in the order in which they count. */
export function* reasonsAgainst(send: DecidedSend, recipient: Recipient, judging: Judging): Generator<string> {
  const { settings, hasMessage, isHeldOut, isDuplicate, nowMs } = judging;
  const { channel, classification, kind } = send;
  const isPromotional = classification === "promotional";
  if (!recipient.isValid) yield "invalid-address";
  if (isSuppressed(recipient.suppressed, isPromotional)) yield "suppressed";
  const isCounted = kind !== "t" && isPromotional;
  if (isCounted && recipient.status !== "subscribed") yield "not-subscribed";
  if (isDuplicate) yield "duplicate";
  if (isHeldOut) yield "holdout";
  if (isCounted && isCapped(settings.caps, recipient.counted, { channel, nowMs })) yield "capped";
  if (send.expiresAt != null && nowMs > send.expiresAt) yield "expired";
  if (!hasMessage) yield "template-deleted";
}

/** Returns whether reasons hold for a message: complaints and what an erasure left for promotional ones alone. */
export function isSuppressed(reasons: readonly SuppressionReason[], isPromotional: boolean): boolean {
  return reasons.some((reason) => isPromotional || FOR_ALL.has(reason));
}
