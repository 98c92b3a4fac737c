import type { MessagingSettings } from "@headwater/contracts";
import type { FrozenMessage } from "../../frozen/frozenMessage.ts";
import type { Delivered } from "../../frozen/handover.ts";
import type { SendResolved } from "../../sends/resolveSends.ts";
import type { StoredSend } from "../../sends/sendRow.ts";
import { isAbandoned, nextAttemptMs } from "./backoff.ts";

const TEXT_CHARACTERS_MAX = 200;
/** A transport that is wrong on our side is checked again soon, whatever the send waits for. */
const TRANSPORT_HOLD_MS = 5 * 60_000;

/** Meaning of an attempt for its send, and for the activities that report it. */
export interface Settlement {
  readonly settled: Omit<SendResolved, "account" | "message" | "contact" | "n" | "attempts">;
  readonly isSent: boolean;
  readonly bounce?: { readonly bounceType: "hard" | "soft"; readonly kind?: string };
}

export interface Attempted {
  readonly delivered: Delivered;
  /** Number of this attempt, since somebody asked for a retry. */
  readonly attempts: number;
  readonly message: Pick<FrozenMessage, "classification" | "onUnknown">;
  readonly settings: MessagingSettings;
  readonly nowMs: number;
  /** A number in [0, 1). */
  readonly random: number;
}

/** Resolves a send by the outcome of its attempt. */
export function resolutionOf(send: StoredSend, attempted: Attempted): Settlement {
  const { delivered, nowMs } = attempted;
  const { outcome, code = null } = delivered;
  const text = delivered.text?.slice(0, TEXT_CHARACTERS_MAX) ?? null;
  const ended = { reason: null, code, text, dueAt: nowMs };
  switch (outcome.kind) {
    case "sent":
      return { settled: { ...ended, state: "sent" }, isSent: true };
    case "hard-bounce":
      return { settled: { ...ended, state: "sent", reason: "bounced" }, isSent: true, bounce: { bounceType: "hard" } };
    case "soft-bounce": {
      const bounce = { bounceType: "soft", kind: outcome.bounce } as const;
      return { settled: { ...ended, state: "sent", reason: "bounced" }, isSent: true, bounce };
    }
    case "unknown":
      return { settled: unknownOf(send, { ...ended, reason: "answer-lost" }, attempted), isSent: false };
    case "transport-failure": {
      const dueAt = Math.min(nowMs + TRANSPORT_HOLD_MS, nextAttemptMs(nowMs, attempted.attempts, attempted.random));
      return laterOf(send, { ...ended, reason: "transport", dueAt }, attempted);
    }
    case "deferred": {
      const dueAt = nextAttemptMs(nowMs, attempted.attempts, attempted.random);
      return laterOf(send, { ...ended, dueAt }, attempted);
    }
  }
}

type Ended = Omit<Settlement["settled"], "state">;

/** Goes out once more where that is allowed, with the same Message-ID; else nobody knows. */
function unknownOf(send: StoredSend, ended: Ended, { nowMs, attempts, random }: Attempted): Settlement["settled"] {
  if (send.resendsLeft === 0) return { ...ended, state: "unknown" };
  return { ...ended, state: "deferred", isResend: true, dueAt: nextAttemptMs(nowMs, attempts, random) };
}

function laterOf(send: StoredSend, ended: Ended, { settings, nowMs }: Attempted): Settlement {
  const hours = settings.giveUpAfterHours[send.classification];
  const isLate = isAbandoned({ firstAt: send.firstAt ?? nowMs, hours, next: ended.dueAt });
  if (!isLate) return { settled: { ...ended, state: "deferred" }, isSent: false };
  const resolved = { ...ended, state: "failed", reason: ended.reason ?? "given-up", dueAt: nowMs } as const;
  // Something of ours was wrong all the time: nobody bounces.
  if (ended.reason === "transport") return { settled: resolved, isSent: false };
  return { settled: resolved, isSent: false, bounce: { bounceType: "soft", kind: "other" } };
}
