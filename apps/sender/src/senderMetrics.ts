import type { Metrics } from "@headwater/kernel";

/** Domains that are counted by name; all others together. A label from a fixed set keeps the series few. */
const KNOWN_DOMAINS = [
  "gmail.com",
  "outlook.com",
  "hotmail.com",
  "yahoo.com",
  "icloud.com",
  "aol.com",
  "gmx.de",
  "web.de",
];
const known: ReadonlySet<string> = new Set(KNOWN_DOMAINS);

export type SenderMetrics = ReturnType<typeof createSenderMetrics>;

/** Creates the metrics that operators watch of a sender. */
export function createSenderMetrics(metrics: Metrics) {
  return {
    attempts: metrics.counter({
      name: "headwater_sends_total",
      help: "Attempts to hand a message over, by outcome.",
      labels: ["transport", "domain", "outcome"],
    }),
    skipped: metrics.counter({
      name: "headwater_sends_skipped_total",
      help: "Sends that their verdict stopped at the intent, by reason.",
      labels: ["reason"],
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
    }),
    oldestDue: metrics.gauge({
      name: "headwater_sends_oldest_due_seconds",
      help: "Age of the oldest send that is due.",
      labels: [],
    }),
  };
}

/** Returns the label of a recipient's domain. */
export function domainLabel(channel: string, address: string): string {
  if (channel !== "email") return channel;
  const domain = address.slice(address.lastIndexOf("@") + 1).toLowerCase();
  return known.has(domain) ? domain : "other";
}
