import { toTimestamp } from "@headwater/contracts";
import { createContactactivities } from "@headwater/intake/operations/createContactactivities/createContactactivities";
import { compileValidation } from "@headwater/intake/operations/validateItem";
import { createWorkLoop, type WorkLoop } from "@headwater/kernel";
import { createStoreClock, readStoreClock } from "@headwater/postgres/connection/storeClock";
import { oldestDueSends } from "../sends/oldestDueSends.ts";
import { freeRecalled } from "../sends/recallSends.ts";
import { expireSends } from "../sends/resolveSends.ts";
import type { SenderPorts } from "./ports.ts";
import { wantTriggered } from "./triggers/wantTriggered.ts";
import { createWindows, type Windows } from "./windows.ts";

const IDLE_MS = 200;
const EXPIRE_EVERY_MS = 2_000;
/** Prometheus asks as often. */
const AGES_EVERY_MS = 15_000;
const EXPIRED_AT_ONCE = 1_000;
const RECALL_EVERY_MS = 1_000;
const RECALLED_AT_ONCE = 1_000;
/** Longest wait of a stop for windows that are under way; what a server has not answered by then is given up. */
const STOP_GRACE_MS = 10_000;
const RETRY = { minMs: 100, maxMs: 5_000 } as const;

/** One sender: claims what is due, window by window, and prepares one while those before it are handed over. Any number of senders share the work. */
export interface Sender {
  /** Sends what one claim finds, but for transports that are busy. @returns whether there was something to do. */
  sendOnce(): Promise<boolean>;
  /** Ends intents whose sender was killed or sleeps. @returns how many. */
  expireOnce(): Promise<number>;
  /** Makes sends due at once whose rates or quiet hours were changed. @returns whether there may be more of them. */
  recallOnce(): Promise<boolean>;
  /** Makes wanted sends of activities that fitted a trigger. @returns whether there were some. */
  wantOnce(): Promise<boolean>;
  start(): void;
  /** Windows that are under way come to their end, or are given up. */
  stop(): Promise<void>;
}

export function createSender(input: SenderPorts): Sender {
  // Outcomes are reported as activities: the first one would hold the loop for the time that this takes.
  compileValidation(createContactactivities);
  const stopping = new AbortController();
  // What is due, and until when it is held, follows from Postgres' clock: that of a sender may jump.
  const clock = createStoreClock(() => readStoreClock(input.postgres), input.clock);
  const ports = { ...input, clock };
  const { lanes: queues, ...windows } = createWindows(ports, stopping.signal);
  const startNext = async () => {
    await clock.refresh();
    return windows.startNext();
  };
  const sendOnce = async () => {
    const { found, started } = await startNext();
    await Promise.all(started);
    return found;
  };
  const expireOnce = async () => {
    await clock.refresh();
    return expire(ports);
  };
  const recallOnce = async () => {
    await clock.refresh();
    const recalled = { nowMs: clock.nowMs(), sendsMax: RECALLED_AT_ONCE };
    return ports.postgres.transaction((transaction) => freeRecalled(transaction, recalled));
  };
  let lastWanted = 0;
  const wantOnce = async () => {
    await clock.refresh();
    const last = await wantTriggered(ports, lastWanted);
    lastWanted = last ?? 0;
    return last !== undefined;
  };
  const loops = [
    loop(ports, "sends", { work: () => sendOn({ lanes: queues, startNext }), idleMs: IDLE_MS }),
    loop(ports, "triggers", { work: wantOnce, idleMs: IDLE_MS }),
    loop(ports, "claims", { work: async () => (await expireOnce()) > 0, idleMs: EXPIRE_EVERY_MS }),
    loop(ports, "recalls", { work: recallOnce, idleMs: RECALL_EVERY_MS }),
    loop(ports, "ages", { work: () => showOldestDue(ports), idleMs: AGES_EVERY_MS }),
  ];
  return {
    sendOnce,
    expireOnce,
    recallOnce,
    wantOnce,
    start: () => loops.forEach((one) => void one.start()),
    async stop() {
      await Promise.all(loops.map((one) => one.stop()));
      await withinMs(queues.empty(), ports.stopGraceMs ?? STOP_GRACE_MS);
      stopping.abort();
      await queues.empty();
    },
  };
}

/** Starts what may start, and waits for nothing but the next change of a queue when that is nothing. */
async function sendOn({ lanes, startNext }: Windows): Promise<boolean> {
  lanes.rethrow();
  // From before the claim: what changes meanwhile is not missed.
  const changed = lanes.next();
  const { found } = await startNext();
  if (!found && lanes.size > 0) await withinMs(changed, IDLE_MS);
  return found || lanes.size > 0;
}

/** Resolves with the work, or when the time is over. */
async function withinMs(work: Promise<void>, ms: number): Promise<void> {
  const over = Promise.withResolvers<void>();
  const timer = setTimeout(over.resolve, ms);
  await Promise.race([work, over.promise]);
  clearTimeout(timer);
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

async function showOldestDue({ postgres, clock, metrics }: SenderPorts): Promise<false> {
  const nowMs = clock.nowMs();
  metrics.showOldestDue(await oldestDueSends(postgres, nowMs), nowMs);
  return false;
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
  return expired.length;
}
