import { findAccountByNumber } from "@headwater/accounts/accounts/accounts";
import type { Account } from "@headwater/contracts";
import { claimSends } from "../sends/claimSends.ts";
import type { StoredSend } from "../sends/sendRow.ts";
import { LEASE_MS, type MailRenderer, type SenderPorts, WINDOW_SENDS_MAX } from "./ports.ts";
import { ProvenMessages } from "./provenMessages.ts";
import type { Queue } from "./queue.ts";
import { Queues } from "./queues.ts";
import { giveBack } from "./window/giveBack.ts";
import { intendWindow } from "./window/intendWindow.ts";
import { MessageMemory } from "./window/messageMemory.ts";
import { type PreparedSend, prepareWindow } from "./window/prepareWindow.ts";
import { type RoutedSend, routeWindow } from "./window/routeWindow.ts";
import { sendWindow } from "./window/sendWindow.ts";

/** Queues that one process has open at most. */
const QUEUES_MAX = 64;

export interface Started {
  /** True when the claim found something to do. */
  readonly found: boolean;
  readonly started: readonly Promise<void>[];
}

export interface Windows {
  readonly lanes: Queues;
  /** Claims due sends, except those of messages whose queue is busy, and starts a window in each queue, and one for what is tried. */
  startNext(): Promise<Started>;
}

/** Creates the runner of windows of sends. @param signal aborts the windows in flight. */
export function createWindows(ports: SenderPorts, signal: AbortSignal): Windows {
  const queues = new Queues(QUEUES_MAX);
  const proven = new ProvenMessages();
  const memory = new MessageMemory(ports.messageBytesMax);
  let after = 0;
  return {
    lanes: queues,
    async startNext() {
      if (!ports.intents.isReady()) return { found: false, started: [] };
      const butAccounts = queues.fullAccounts;
      const { postgres, clock, owner, leaseMs = LEASE_MS } = ports;
      const claimedAtMs = performance.now();
      const claim = { owner, leaseMs, nowMs: clock.nowMs(), after, sendsMax: WINDOW_SENDS_MAX };
      const but = queues.messages;
      const sends = await postgres.transaction((transaction) =>
        claimSends(transaction, { ...claim, but, butAccounts }),
      );
      after = sends.at(-1)?.account ?? 0;
      const byAccount = [...Map.groupBy(sends, ({ account }) => account)];
      const started = await Promise.all(
        byAccount.map(([number, own]) =>
          startOf(number, { sends: own, claimedAtMs, signal, lanes: queues, proven, memory }, ports),
        ),
      );
      return { found: sends.length > 0, started: started.flat() };
    },
  };
}

interface Claimed {
  readonly sends: readonly StoredSend[];
  /** Monotonic time of the claim. */
  readonly claimedAtMs: number;
  readonly signal: AbortSignal;
  readonly lanes: Queues;
  readonly proven: ProvenMessages;
  readonly memory: MessageMemory;
}

/** Starts the windows of an account, and releases the sends of busy queues. */
async function startOf(number: number, claimed: Claimed, ports: SenderPorts): Promise<Promise<void>[]> {
  const { lanes, proven } = claimed;
  const { trials } = ports;
  const account = await accountOf(number, ports);
  const started: Promise<void>[] = [];
  const routes = await routeWindow(account, claimed.sends, ports);
  const isProven = ({ send }: RoutedSend) => trials === undefined || proven.has(send);
  const queueOf = (one: RoutedSend) =>
    `${number} ${one.transport?.id ?? ""} ${isProven(one) ? one.send.classification : "tried"}`;
  for (const [name, routed] of routes.flatMap((one) => [...Map.groupBy(one, queueOf)])) {
    const sends = routed.map(({ send }) => send);
    const tried = trials !== undefined && !routed.every(isProven) ? { proven, trials } : undefined;
    const window = { ...claimed, routed };
    const queueWindow = { account: number, name, messages: sends };
    if (!lanes.admits(number, name)) {
      await giveBack(sends, ports);
    } else if (lanes.isBusy(name)) {
      lanes.note(name, sends);
      await giveBack(sends, ports);
    } else if (tried === undefined) {
      const run = (queue: Queue, isPrepared: () => void) =>
        sendWindow(account, { ...window, lane: queue, isPrepared }, ports);
      started.push(lanes.run(queueWindow, run));
    } else started.push(lanes.run(queueWindow, () => tryWindow(account, { ...window, ...tried }, ports)));
  }
  return started;
}

async function accountOf(number: number, { postgres }: SenderPorts): Promise<Account> {
  const account = await findAccountByNumber(postgres, number);
  if (account === undefined) throw new Error(`account ${number} of a send is not there`);
  return account;
}

interface TriedWindow {
  readonly routed: readonly RoutedSend[];
  /** Monotonic time of the claim. */
  readonly claimedAtMs: number;
  readonly proven: ProvenMessages;
  readonly memory: MessageMemory;
  readonly trials: MailRenderer;
}

/**
 * Renders one send of each message that has not rendered well before. Nothing is handed over: whoever may get a message that is proven now
 * is due again at once, and all others have their outcome.
 */
async function tryWindow(
  account: Account,
  { routed, claimedAtMs, proven, memory, trials }: TriedWindow,
  ports: SenderPorts,
): Promise<void> {
  const nowMs = ports.clock.nowMs();
  const hold = memory.open(account.number);
  const prepared = await prepareWindow(
    account,
    { routed, claimedAtMs, hold, isTrial: true },
    { ...ports, renders: trials },
  ).finally(() => hold.release());
  proven.note(prepared);
  const due = { kind: "hold", reason: "render", until: nowMs } as const;
  const stopped = prepared.map((one): PreparedSend => {
    return one.outcome.kind === "composed" ? { ...one, outcome: due } : one;
  });
  await intendWindow(account, { prepared: stopped }, ports);
}
