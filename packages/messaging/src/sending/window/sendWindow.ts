import type { Account } from "@headwater/contracts";
import { LEASE_MS, type SenderPorts } from "../ports.ts";
import type { ProvenMessages } from "../provenMessages.ts";
import type { Queue } from "../queue.ts";
import { deliverWindow } from "./deliverWindow.ts";
import { giveBack } from "./giveBack.ts";
import { type IntendedWindow, intendWindow } from "./intendWindow.ts";
import type { MessageMemory } from "./messageMemory.ts";
import { type PreparedSend, prepareWindow } from "./prepareWindow.ts";
import type { RoutedSend } from "./routeWindow.ts";
import { sleepUntil } from "./sleepUntil.ts";

/** Longest time that rendered messages wait for their rates, and for those before them. */
const WAIT_MS_MAX = 10_000;
/** Promotional messages ask again so much later: what a rate has again goes to transactional ones first. */
const PROMOTIONAL_MS = 20;

export interface RoutedWindow {
  readonly routed: readonly RoutedSend[];
  /** Monotonic time of the claim. */
  readonly claimedAtMs: number;
  readonly proven: ProvenMessages;
  readonly memory: MessageMemory;
  readonly lane: Queue;
  /** Is called when nothing of the window waits for its intent any more. */
  readonly isPrepared: () => void;
  /** Aborts what is under way. */
  readonly signal: AbortSignal;
}

/**
 * Renders a window and hands it over, as its queue has space and its rates allow: those that have to wait a little stay rendered meanwhile, and the
 * queue's next window is prepared once none of them waits.
 */
export async function sendWindow(account: Account, window: RoutedWindow, ports: SenderPorts): Promise<void> {
  const { routed, proven, claimedAtMs, memory } = window;
  const hold = memory.open(account.number);
  try {
    const prepared = await prepareWindow(account, { routed, claimedAtMs, hold }, ports);
    proven.note(prepared);
    await handOver(account, prepared, { window, ports });
  } finally {
    hold.release();
  }
}

async function handOver(
  account: Account,
  prepared: readonly PreparedSend[],
  { window, ports }: { readonly window: RoutedWindow; readonly ports: SenderPorts },
): Promise<void> {
  const { claimedAtMs, lane: queue, isPrepared } = window;
  const deliveries: Promise<PromiseSettledResult<void>[]>[] = [];
  const deliver = ({ intended, published }: Intended) => {
    const { signal } = window;
    const delivering = { intended, published, claimedAtMs, lane: queue, signal };
    deliveries.push(Promise.allSettled([deliverWindow(account, delivering, ports)]));
  };
  const intending = await Promise.allSettled([intendAll(account, prepared, { window, deliver, ports })]);
  isPrepared();
  for (const ended of [intending, ...(await Promise.all(deliveries))].flat()) {
    if (ended.status === "rejected") throw ended.reason;
  }
}

type Intended = Pick<IntendedWindow, "intended" | "published">;

interface Intending {
  readonly window: RoutedWindow;
  readonly deliver: (intended: Intended) => void;
  readonly ports: SenderPorts;
}

/** Makes the intents of a window, part by part where its queue has no space for all or a rate not enough. */
async function intendAll(
  account: Account,
  prepared: readonly PreparedSend[],
  { window: { claimedAtMs, lane, signal: stopping }, deliver, ports }: Intending,
): Promise<void> {
  const { leaseMs = LEASE_MS } = ports;
  const waitUntilMs = Math.min(claimedAtMs + leaseMs / 2, performance.now() + WAIT_MS_MAX);
  const over = new AbortController();
  const timer = setTimeout(() => over.abort(), Math.max(0, waitUntilMs - performance.now()));
  const signal = AbortSignal.any([stopping, over.signal]);
  let left = prepared;
  try {
    while (left.length > 0) {
      const capacity = await lane.room(left.length, signal);
      if (capacity === 0) break;
      const waitMsMax = waitUntilMs - performance.now();
      const part = { prepared: left.slice(0, capacity), waitMsMax };
      const { waiting, waitMs, ...created } = await intendWindow(account, part, ports);
      lane.take(created.intended.length);
      deliver(created);
      left = [...left.slice(capacity), ...waiting];
      if (left.length === waiting.length && left.length > 0)
        await sleepUntil(performance.now() + waitMs + laterOf(left), signal);
    }
  } finally {
    clearTimeout(timer);
  }
  await giveBack(
    left.map(({ send }) => send),
    ports,
  );
}

function laterOf([first]: readonly PreparedSend[]): number {
  return first?.send.classification === "promotional" ? PROMOTIONAL_MS : 0;
}
