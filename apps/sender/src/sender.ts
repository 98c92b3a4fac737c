import { type Account, toTimestamp } from "@headwater/contracts";
import { createWorkLoop, type WorkLoop } from "@headwater/kernel";
import { findAccountByNumber } from "@headwater/stores/accounts";
import { claimSends, expireSends, oldestDueSend, type StoredSend } from "@headwater/stores/sends";
import { LEASE_MS, type SenderPorts, WINDOW_SENDS_MAX } from "./ports.ts";
import { deliverWindow } from "./window/deliverWindow.ts";
import { intendWindow } from "./window/intendWindow.ts";
import { paceWindow } from "./window/paceWindow.ts";
import { prepareWindow } from "./window/prepareWindow.ts";

const IDLE_MS = 200;
const EXPIRE_EVERY_MS = 2_000;
const EXPIRED_AT_ONCE = 1_000;
const RETRY = { minMs: 100, maxMs: 5_000 } as const;

/** One sender: claims what is due, window by window. Any number of them share the work. */
export interface Sender {
  /** Sends one window. @returns whether there was something to do. */
  sendOnce(): Promise<boolean>;
  /** Ends intents whose sender was killed or sleeps. @returns how many. */
  expireOnce(): Promise<number>;
  start(): void;
  /** The window that is under way comes to its end. */
  stop(): Promise<void>;
}

export function createSender(ports: SenderPorts): Sender {
  let after = 0;
  const stopping = new AbortController();
  const sendOnce = async () => {
    const { postgres, clock, owner, leaseMs = LEASE_MS } = ports;
    const claimedAtMs = performance.now();
    const claim = { owner, leaseMs, nowMs: clock.nowMs(), after, sendsMax: WINDOW_SENDS_MAX };
    const sends = await postgres.transaction((transaction) => claimSends(transaction, claim));
    after = sends.at(-1)?.account ?? 0;
    const byAccount = [...Map.groupBy(sends, ({ account }) => account)];
    await Promise.all(
      byAccount.map(([number, own]) => sendOf(number, { sends: own, claimedAtMs, signal: stopping.signal }, ports)),
    );
    return sends.length > 0;
  };
  const expireOnce = () => expire(ports);
  const loops = [
    loop(ports, "sends", { work: sendOnce, idleMs: IDLE_MS }),
    loop(ports, "claims", { work: async () => (await expireOnce()) > 0, idleMs: EXPIRE_EVERY_MS }),
  ];
  return {
    sendOnce,
    expireOnce,
    start: () => loops.forEach((one) => void one.start()),
    async stop() {
      await Promise.all(loops.map((one) => one.stop()));
      stopping.abort();
    },
  };
}

function loop(
  { logger }: SenderPorts,
  what: string,
  options: { work: () => Promise<boolean>; idleMs: number },
): WorkLoop {
  const onRetry = ({ error, attempt }: { readonly error: unknown; readonly attempt: number }) =>
    logger.warn({ err: error, attempt, what }, "sender failed, retrying");
  return createWorkLoop({ ...options, ...RETRY, onRetry });
}

interface ClaimedWindow {
  readonly sends: readonly StoredSend[];
  /** Monotonic time of the claim. */
  readonly claimedAtMs: number;
  readonly signal: AbortSignal;
}

async function sendOf(number: number, { sends, ...claimed }: ClaimedWindow, ports: SenderPorts): Promise<void> {
  const account = await accountOf(number, ports);
  const prepared = await prepareWindow(account, sends, ports);
  const paced = await paceWindow(account, prepared, ports);
  const intended = await intendWindow(account, paced, ports);
  await deliverWindow(account, { intended, ...claimed }, ports);
}

async function accountOf(number: number, { postgres }: SenderPorts): Promise<Account> {
  const account = await findAccountByNumber(postgres, number);
  if (account === undefined) throw new Error(`account ${number} of a send is not there`);
  return account;
}

async function expire({ postgres, clock, metrics, logger }: SenderPorts): Promise<number> {
  const nowMs = clock.nowMs();
  const expired = await postgres.transaction((transaction) =>
    expireSends(transaction, { nowMs, sendsMax: EXPIRED_AT_ONCE }),
  );
  if (expired.length > 0) {
    metrics.expired.inc({}, expired.length);
    logger.warn({ sends: expired.length, at: toTimestamp(nowMs) }, "intents of a sender that stopped have ended");
  }
  const oldest = await oldestDueSend(postgres, nowMs);
  metrics.oldestDue.set({}, oldest === undefined ? 0 : Math.max(0, (nowMs - oldest) / 1_000));
  return expired.length;
}
