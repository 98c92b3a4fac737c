import type { Account, PublishedIntents } from "@headwater/contracts";
import { retryForever } from "@headwater/kernel";
import type { Delivered } from "../../frozen/handover.ts";
import type { SendOutcome } from "../../outcomes/classifyAnswer.ts";
import { resolveSends } from "../../sends/resolveSends.ts";
import type { SenderPorts } from "../ports.ts";
import type { Queue } from "../queue.ts";
import { domainLabel } from "../senderMetrics.ts";
import { activitiesOf, appendActivities } from "./activities.ts";
import { type IntendedSend, keyOf, nameOf } from "./intendWindow.ts";
import { resolutionOf, type Settlement } from "./outcome.ts";
import { slowDownWindow } from "./paceWindow.ts";
import { answerMark, evaluateMessages, type Pause, pauseMessages } from "./selfPauses.ts";
import { sleepUntil } from "./sleepUntil.ts";
import { WindowLease } from "./windowLease.ts";

const STORE_WITHIN_MS = 1_000;

/** Outcomes that are stored at once: the next window waits for their space. */
const STORED_AT_ONCE = 25;

const RETRY = { minMs: 100, maxMs: 5_000 } as const;
const BEGIN_WITHIN_MS = 60_000;
const PUBLISH_WITHIN_MS = 30_000;

/** An attempt that has ended. */
interface Done {
  readonly intended: IntendedSend;
  readonly outcome: SendOutcome;
  readonly settlement: Settlement;
  /** The server asked for fewer. */
  readonly isSlowed: boolean;
}

export interface DeliveringWindow {
  readonly intended: readonly IntendedSend[];
  readonly published: PublishedIntents | undefined;
  /** Monotonic time of the claim. */
  readonly claimedAtMs: number;
  readonly lane: Pick<Queue, "answered" | "free">;
  readonly signal: AbortSignal;
}

/**
 * Hands a window over and stores its outcomes with their activities: in one transaction, or step by step where a server is slow. A process that
 * slept finds its claim over by the monotonic clock and begins no further message.
 */
export async function deliverWindow(
  account: Account,
  { intended, published, claimedAtMs, lane: queue, signal }: DeliveringWindow,
  ports: SenderPorts,
): Promise<void> {
  if (intended.length === 0 || published === undefined) return;
  const lease = new WindowLease(account.number, intended, { ports, claimedAtMs });
  let open = intended.length;
  const storeAndFree = async (done: readonly Done[]) => {
    await store(account, done, { lease, ports });
    open -= done.length;
    queue.free(done.length);
  };
  const outcomes = new Outcomes<Done>({ store: storeAndFree, ...ports });
  const renewal = lease.keep();
  try {
    const isPublished = await publish(published, { lease, signal, ports });
    const beginUntilMs = isPublished ? performance.now() + BEGIN_WITHIN_MS : 0;
    await Promise.all(
      intended.map(async (one) => {
        const attempted = await attempt(account, one, { lease, beginUntilMs, signal, ports });
        outcomes.add({ intended: one, ...attempted });
        queue.answered();
      }),
    );
  } finally {
    try {
      await outcomes.end();
    } finally {
      queue.free(open);
      await renewal.stop();
    }
  }
}

interface Publishing {
  readonly lease: WindowLease;
  readonly signal: AbortSignal;
  readonly ports: SenderPorts;
}

/**
 * Publishes the intents, as long as they are this process's to hand over: what only Postgres knows may be lost with it, and would go
 * out again.
 * @returns false when they could not be published in time: none of them may begin then.
 */
async function publish(intents: PublishedIntents, { lease, signal, ports }: Publishing): Promise<boolean> {
  const over = AbortSignal.any([signal, AbortSignal.timeout(PUBLISH_WITHIN_MS)]);
  try {
    await retryForever(() => ports.intents.publish(intents), {
      ...RETRY,
      signal: over,
      onRetry: ({ error }) => ports.logger.warn({ err: error }, "intents of sends not published, retrying"),
    });
    return !lease.isOver();
  } catch (error) {
    if (!over.aborted) throw error;
    return false;
  }
}

interface Storing {
  readonly lease: WindowLease;
  readonly ports: SenderPorts;
}

async function store(account: Account, done: readonly Done[], { lease, ports }: Storing): Promise<void> {
  const pauses = await retryForever(() => storeOutcomes(account, done, ports), {
    ...RETRY,
    signal: new AbortController().signal,
    onRetry: ({ error }) => ports.logger.warn({ err: error }, "outcomes of sends not stored, retrying"),
  });
  lease.settled(done.map(({ intended: { send } }) => send));
  const slowed = done.flatMap(({ intended: { transport, mail }, isSlowed }) => (isSlowed ? [{ transport, mail }] : []));
  await slowDownWindow(account, slowed, ports);
  await pauseMessages(account, pauses, ports);
  count(done, ports);
}

interface Attempting {
  readonly lease: WindowLease;
  /** Monotonic time after which no message is begun: behind a server that hangs, the others are due again later. */
  readonly beginUntilMs: number;
  readonly signal: AbortSignal;
  readonly ports: SenderPorts;
}

async function attempt(
  account: Account,
  one: IntendedSend,
  { lease, beginUntilMs, signal, ports }: Attempting,
): Promise<Omit<Done, "intended">> {
  const { transport, mail, attempts, wanted, send } = one;
  await sleepUntil(one.turnAtMs, signal);
  const delivered: Delivered =
    lease.isOver() || beginUntilMs === 0
      ? { outcome: { kind: "deferred", slowsDown: false } }
      : await transport.handover.deliver({ ...mail, isClaimed: claimOf(lease, beginUntilMs) }, signal);
  const { clock, random = Math.random } = ports;
  const { messaging: settings } = account.settings;
  const resolution = resolutionOf(send, {
    delivered,
    attempts: attempts - send.attemptsBefore,
    message: wanted.message,
    settings,
    nowMs: clock.nowMs(),
    random: random(),
  });
  return {
    outcome: delivered.outcome,
    settlement: resolution,
    isSlowed: delivered.outcome.kind === "deferred" && delivered.outcome.slowsDown,
  };
}

/** Returns what is asked before the first byte, which has to leave in time, and again before the final dot. */
function claimOf(lease: WindowLease, beginUntilMs: number): () => boolean {
  let hasBegun = false;
  return () => {
    hasBegun ||= performance.now() < beginUntilMs;
    return hasBegun && !lease.isOver();
  };
}

async function storeOutcomes(
  account: Account,
  done: readonly Done[],
  { postgres, owner, clock }: SenderPorts,
): Promise<Pause[]> {
  const nowMs = clock.nowMs();
  return postgres.transaction(async (transaction) => {
    const resolved = done.map(({ intended: { send, attempts }, settlement }) => {
      return { ...keyOf(send), attempts, ...settlement.settled };
    });
    const stored = await resolveSends(transaction, resolved, { account: account.number, owner, nowMs });
    const names = new Set(stored.map(nameOf));
    const own = done.filter(({ intended }) => names.has(nameOf(intended.send)));
    const activities = own.flatMap(({ intended: { send, wanted }, settlement }) =>
      activitiesOf(account, send, { settlement, wanted }),
    );
    await appendActivities(transaction, account, { activities, nowMs });
    const marks = own.map(({ intended: { send }, outcome }) => answerMark(send, outcome));
    return evaluateMessages(transaction, account, marks);
  });
}

function count(done: readonly Done[], { metrics }: SenderPorts): void {
  for (const { intended, settlement } of done) {
    const { transport, mail } = intended;
    const { bounce, settled: completed } = settlement;
    const outcome = bounce === undefined ? completed.state : "bounced";
    metrics.attempts.inc({ transport: transport.type, domain: domainLabel(mail.channel, mail.address), outcome });
  }
}

/** Gathers outcomes of a window: a kill while one server is slow makes nothing unknown that was answered long before. */
export class Outcomes<Outcome> {
  readonly #store: OutcomesOptions<Outcome>["store"];
  readonly #withinMs: number;
  #waiting: Outcome[] = [];
  #timer: NodeJS.Timeout | undefined;
  #storing: Promise<void> = Promise.resolve();
  /** Kept until `end`: nobody waits for what is stored before. */
  readonly #failures: unknown[] = [];

  constructor({ store, storeWithinMs = STORE_WITHIN_MS }: OutcomesOptions<Outcome>) {
    this.#store = store;
    this.#withinMs = storeWithinMs;
  }

  add(outcome: Outcome): void {
    this.#waiting.push(outcome);
    if (this.#waiting.length >= STORED_AT_ONCE) this.#flush();
    else this.#timer ??= setTimeout(() => this.#flush(), this.#withinMs);
  }

  /** Stores the rest. @throws (rejects) the first failure of the store. */
  async end(): Promise<void> {
    this.#flush();
    await this.#storing;
    if (this.#failures.length > 0) throw this.#failures[0];
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const outcomes = this.#waiting;
    this.#waiting = [];
    if (outcomes.length === 0) return;
    this.#storing = this.#storing
      .then(() => this.#store(outcomes))
      .catch((error: unknown) => void this.#failures.push(error));
  }
}

interface OutcomesOptions<Outcome> {
  readonly store: (outcomes: readonly Outcome[]) => Promise<void>;
  /** Longest wait of an outcome for others. Default 1 s. */
  readonly storeWithinMs?: number | undefined;
}
