import type { Account } from "@headwater/contracts";
import { findAccountByNumber } from "@headwater/stores/accounts";
import { claimSends, releaseSends, type StoredSend } from "@headwater/stores/sends";
import { Lanes } from "./lanes.ts";
import { LEASE_MS, type SenderPorts, WINDOW_SENDS_MAX } from "./ports.ts";
import { deliverWindow } from "./window/deliverWindow.ts";
import { intendWindow } from "./window/intendWindow.ts";
import { paceWindow } from "./window/paceWindow.ts";
import { prepareWindow } from "./window/prepareWindow.ts";
import { type RoutedSend, routeWindow } from "./window/routeWindow.ts";

/** Windows that one process has in flight at most. */
const WINDOWS_MAX = 64;

export interface Started {
  /** True when the claim found something to do. */
  readonly found: boolean;
  readonly started: readonly Promise<void>[];
}

export interface Windows {
  readonly lanes: Lanes;
  /** Claims due sends, except those of messages whose transport is busy, and starts a window for each transport. */
  startNext(): Promise<Started>;
}

/** Creates the runner of windows of sends. @param signal aborts the windows in flight. */
export function createWindows(ports: SenderPorts, signal: AbortSignal): Windows {
  const lanes = new Lanes();
  let after = 0;
  return {
    lanes,
    async startNext() {
      if (lanes.size >= WINDOWS_MAX) return { found: false, started: [] };
      const { postgres, clock, owner, leaseMs = LEASE_MS } = ports;
      const claimedAtMs = performance.now();
      const claim = { owner, leaseMs, nowMs: clock.nowMs(), after, sendsMax: WINDOW_SENDS_MAX };
      const but = lanes.messages;
      const sends = await postgres.transaction((transaction) => claimSends(transaction, { ...claim, but }));
      after = sends.at(-1)?.account ?? 0;
      const byAccount = [...Map.groupBy(sends, ({ account }) => account)];
      const started = await Promise.all(
        byAccount.map(([number, own]) => startOf(number, { sends: own, claimedAtMs, signal, lanes }, ports)),
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
  readonly lanes: Lanes;
}

/** Starts the windows of an account, and releases the sends of busy transports. */
async function startOf(number: number, claimed: Claimed, ports: SenderPorts): Promise<Promise<void>[]> {
  const { lanes } = claimed;
  const account = await accountOf(number, ports);
  const started: Promise<void>[] = [];
  for (const routed of await routeWindow(account, claimed.sends, ports)) {
    const name = `${number} ${routed[0]?.transport?.id ?? ""}`;
    const sends = routed.map(({ send }) => send);
    if (lanes.isBusy(name)) {
      lanes.note(name, sends);
      await giveBack(sends, ports);
    } else started.push(lanes.run(name, sends, () => sendWindow(account, { ...claimed, routed }, ports)));
  }
  return started;
}

async function giveBack(sends: readonly StoredSend[], { postgres, owner }: SenderPorts): Promise<void> {
  const [first] = sends;
  if (first !== undefined) await releaseSends(postgres, sends, { account: first.account, owner, dueAt: 0 });
}

interface RoutedWindow extends Pick<Claimed, "claimedAtMs" | "signal"> {
  readonly routed: readonly RoutedSend[];
}

async function sendWindow(account: Account, { routed, ...claimed }: RoutedWindow, ports: SenderPorts): Promise<void> {
  const prepared = await prepareWindow(account, { routed, claimedAtMs: claimed.claimedAtMs }, ports);
  const paced = await paceWindow(account, prepared, ports);
  const intended = await intendWindow(account, paced, ports);
  await deliverWindow(account, { intended, ...claimed }, ports);
}

async function accountOf(number: number, { postgres }: SenderPorts): Promise<Account> {
  const account = await findAccountByNumber(postgres, number);
  if (account === undefined) throw new Error(`account ${number} of a send is not there`);
  return account;
}
