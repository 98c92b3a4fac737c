import type { Account } from "@headwater/contracts";
import { releaseSends } from "@headwater/stores/sends";
import { LEASE_MS, type SenderPorts } from "../ports.ts";
import type { ProvenMessages } from "../provenMessages.ts";
import { deliverWindow } from "./deliverWindow.ts";
import { type IntendedSend, intendWindow } from "./intendWindow.ts";
import { type PreparedSend, prepareWindow } from "./prepareWindow.ts";
import type { RoutedSend } from "./routeWindow.ts";
import { sleepUntil } from "./sleepUntil.ts";

/** Longest time that rendered messages wait for their rates. */
const RATES_MS_MAX = 5_000;

export interface RoutedWindow {
  readonly routed: readonly RoutedSend[];
  /** Monotonic time of the claim. */
  readonly claimedAtMs: number;
  readonly proven: ProvenMessages;
  /** Aborts what is under way. */
  readonly signal: AbortSignal;
}

/** Renders a window and hands it over, as its rates allow: those that have to wait a little stay rendered meanwhile. */
export async function sendWindow(account: Account, window: RoutedWindow, ports: SenderPorts): Promise<void> {
  const { routed, proven, claimedAtMs } = window;
  const prepared = await prepareWindow(account, { routed, claimedAtMs }, ports);
  proven.note(prepared);
  const deliveries: Promise<PromiseSettledResult<void>[]>[] = [];
  const deliver = (intended: readonly IntendedSend[]) => {
    const { signal } = window;
    deliveries.push(Promise.allSettled([deliverWindow(account, { intended, claimedAtMs, signal }, ports)]));
  };
  const intending = await Promise.allSettled([intendAll(account, prepared, { window, deliver, ports })]);
  for (const ended of [intending, ...(await Promise.all(deliveries))].flat()) {
    if (ended.status === "rejected") throw ended.reason;
  }
}

interface Intending {
  readonly window: RoutedWindow;
  readonly deliver: (intended: readonly IntendedSend[]) => void;
  readonly ports: SenderPorts;
}

/** Makes the intents of a window, part by part where a rate has not enough for all. */
async function intendAll(
  account: Account,
  prepared: readonly PreparedSend[],
  { window: { claimedAtMs, signal }, deliver, ports }: Intending,
): Promise<void> {
  const { leaseMs = LEASE_MS } = ports;
  const waitUntilMs = Math.min(claimedAtMs + leaseMs / 2, performance.now() + RATES_MS_MAX);
  let left = prepared;
  while (left.length > 0 && !signal.aborted) {
    const waitMsMax = waitUntilMs - performance.now();
    const { intended, waiting, waitMs } = await intendWindow(account, { prepared: left, waitMsMax }, ports);
    deliver(intended);
    left = waiting;
    if (left.length > 0) await sleepUntil(performance.now() + waitMs, signal);
  }
  await giveBack(left, ports);
}

/** Makes what nobody has begun due again at once. */
async function giveBack(left: readonly PreparedSend[], { postgres, owner }: SenderPorts): Promise<void> {
  const sends = left.map(({ send }) => send);
  const [first] = sends;
  if (first !== undefined) await releaseSends(postgres, sends, { account: first.account, owner, dueAt: 0 });
}
