import { transportTypes } from "@headwater/contracts";
import type { Metrics } from "@headwater/kernel";
import type { SelfPause } from "../batchMessages/health.ts";
import type { OldestDueSend } from "../sends/oldestDueSends.ts";
import { KNOWN_DOMAINS } from "../sends/sendDomain.ts";

/** Domains that are counted by name; all others together. A label from a fixed set keeps the series few. */
const known: ReadonlySet<string> = new Set(KNOWN_DOMAINS);

const OTHER_DOMAIN = "other";
const OUTCOMES = ["sent", "bounced", "deferred", "failed", "unknown"] as const;
/** Reasons of `judge` and of composing a message. */
const STOP_REASONS = [
  ...["erased", "no-address", "invalid-address", "suppressed", "not-subscribed", "duplicate", "holdout", "capped"],
  ...["template-deleted", "render-failed", "missing-data"],
] as const;
const SELF_PAUSES: readonly SelfPause[] = ["transport", "blocked", "render"];

interface Labels extends Record<string, string> {
  readonly transport: string;
  readonly domain: string;
}

/** Sends that no transport has tried yet. */
const NOT_TRIED = "new";

export type SenderMetrics = ReturnType<typeof createSenderMetrics>;

/** Creates the metrics that operators watch of a sender. */
export function createSenderMetrics(metrics: Metrics) {
  const oldestDue = metrics.gauge({
    name: "headwater_sends_oldest_due_seconds",
    help: "Age of the oldest send that is due, by the transport that it was tried by.",
    labels: ["transport", "domain"],
  });
  let view: readonly Labels[] = [];
  return {
    attempts: metrics.counter({
      name: "headwater_sends_total",
      help: "Attempts to hand a message over, by outcome.",
      labels: ["transport", "domain", "outcome"],
      values: { transport: transportTypes, domain: [...KNOWN_DOMAINS, OTHER_DOMAIN], outcome: OUTCOMES },
    }),
    skipped: metrics.counter({
      name: "headwater_sends_skipped_total",
      help: "Sends that their verdict stopped at the intent, by reason.",
      labels: ["reason"],
      values: { reason: STOP_REASONS },
    }),
    expired: metrics.counter({
      name: "headwater_sends_expired_total",
      help: "Intents whose sender stopped before their outcome was stored.",
      labels: [],
    }),
    paused: metrics.counter({
      name: "headwater_messages_paused_total",
      help: "Batch messages that paused themselves, by reason.",
      labels: ["reason"],
      values: { reason: SELF_PAUSES },
    }),
    /** Shows what is due now; what was due before and is not any more has the age 0. */
    showOldestDue(due: readonly OldestDueSend[], nowMs: number): void {
      for (const labels of view) oldestDue.set(labels, 0);
      view = due.map(({ transport, domain }) => ({ transport: transport || NOT_TRIED, domain }));
      for (const [index, labels] of view.entries()) {
        oldestDue.set(labels, Math.max(0, (nowMs - (due[index]?.oldest ?? nowMs)) / 1_000));
      }
    },
  };
}

/** Returns the label of a recipient's domain. */
export function domainLabel(channel: string, address: string): string {
  if (channel !== "email") return channel;
  const domain = address.slice(address.lastIndexOf("@") + 1).toLowerCase();
  return known.has(domain) ? domain : OTHER_DOMAIN;
}
