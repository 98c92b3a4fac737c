import { createWorkLoop, type Logger, type Metrics, type WorkLoop } from "@headwater/kernel";
import type { Session } from "@headwater/postgres/connection/session";
import { findRelayHold, type RelayHold, sentenceOfHold } from "@headwater/postgres/outbox/relayHold";

/** Prometheus asks as often. */
const EVERY_MS = 15_000;

export interface RelayHoldsOptions {
  readonly session: Session;
  readonly metrics: Metrics;
  readonly logger: Logger;
  /** Returns whether this process relays: one of them reports. */
  readonly isRelaying: () => boolean;
  readonly find?: (session: Session) => Promise<RelayHold | undefined>;
}

/** Reports the open transaction that holds the relay back: in a metric, and once in the log. */
export function watchRelayHolds({
  session,
  metrics,
  logger,
  isRelaying,
  find = (asked) => findRelayHold(asked),
}: RelayHoldsOptions): WorkLoop & { look(): Promise<void> } {
  // One series at most, and only while there is something to end: an alert names it.
  const held = metrics.gauge({
    name: "headwater_relay_held_seconds",
    help: "Seconds for which an open transaction has kept change events from being published.",
    labels: ["pid", "application"],
  });
  let logged: string | undefined;
  const check = async () => {
    const hold = isRelaying() ? await find(session) : undefined;
    held.reset();
    if (hold === undefined) {
      logged = undefined;
      return;
    }
    const { pid, application, state, sinceMs, seconds } = hold;
    held.set({ pid: String(pid ?? ""), application }, seconds);
    const sentence = sentenceOfHold(hold);
    if (sentence !== logged) logger.warn({ pid, application, state, sinceMs, seconds }, sentence);
    logged = sentence;
  };
  const loop = createWorkLoop({
    work: async () => {
      await check();
      return false;
    },
    idleMs: EVERY_MS,
    minMs: EVERY_MS,
    maxMs: EVERY_MS,
    onRetry: ({ error }) => logger.debug({ err: error }, "checking for transactions that hold the relay failed"),
  });
  return { ...loop, look: check };
}
