import type { Account } from "@headwater/contracts";
import { retryForever } from "@headwater/kernel";
import type { Delivered } from "@headwater/messaging";
import { holdSends, settleSends } from "@headwater/stores/sends";
import { LEASE_MS, type SenderPorts } from "../ports.ts";
import { domainLabel } from "../senderMetrics.ts";
import { activitiesOf, appendActivities } from "./activities.ts";
import { type IntendedSend, keyOf, nameOf } from "./intendWindow.ts";
import { type Settlement, settlementOf } from "./outcome.ts";
import { slowDownWindow } from "./paceWindow.ts";

const RETRY = { minMs: 100, maxMs: 5_000 } as const;
/** A claim is renewed when a third of it is over. */
const RENEWALS_PER_LEASE = 3;

interface Done {
  readonly intended: IntendedSend;
  readonly settlement: Settlement;
  /** The server asked for fewer. */
  readonly isSlowed: boolean;
}

/**
 * Hands a window over and stores its outcomes with their activities, all in one transaction. A process that slept finds its claim over by
 * the monotonic clock and begins no further message.
 * @param claimedAtMs monotonic time of the claim.
 */
export async function deliverWindow(
  account: Account,
  {
    intended,
    claimedAtMs,
    signal,
  }: { readonly intended: readonly IntendedSend[]; readonly claimedAtMs: number; readonly signal: AbortSignal },
  ports: SenderPorts,
): Promise<void> {
  if (intended.length === 0) return;
  const lease = new Lease(account.number, intended, { ports, claimedAtMs });
  const renewal = lease.keep();
  const done = await Promise.all(
    intended.map(async (one) => ({ intended: one, ...(await attempt(account, one, { lease, signal, ports })) })),
  );
  await renewal.stop();
  await retryForever(() => storeOutcomes(account, done, ports), {
    ...RETRY,
    signal: new AbortController().signal,
    onRetry: ({ error }) => ports.logger.warn({ err: error }, "outcomes of sends not stored, retrying"),
  });
  const slowed = done.flatMap(({ intended: { transport, mail }, isSlowed }) => (isSlowed ? [{ transport, mail }] : []));
  await slowDownWindow(account, slowed, ports);
  count(done, ports);
}

/** Claim of a window, as this process sees it. */
class Lease {
  readonly #account: number;
  readonly #sends: readonly IntendedSend[];
  readonly #ports: SenderPorts;
  #until: number;

  constructor(
    account: number,
    sends: readonly IntendedSend[],
    { ports, claimedAtMs }: { readonly ports: SenderPorts; readonly claimedAtMs: number },
  ) {
    [this.#account, this.#sends, this.#ports] = [account, sends, ports];
    this.#until = claimedAtMs + (ports.leaseMs ?? LEASE_MS);
  }

  isOver(): boolean {
    return performance.now() >= this.#until;
  }

  /** Renews the claim while its messages are under way: a slow answer is waited for by a process that lives. */
  keep(): { stop(): Promise<void> } {
    const { leaseMs = LEASE_MS } = this.#ports;
    let renewing: Promise<void> = Promise.resolve();
    const timer = setInterval(() => {
      renewing = this.#renew();
    }, leaseMs / RENEWALS_PER_LEASE);
    return {
      async stop() {
        clearInterval(timer);
        await renewing;
      },
    };
  }

  async #renew(): Promise<void> {
    const { postgres, owner, leaseMs = LEASE_MS, logger } = this.#ports;
    const from = performance.now();
    try {
      const keys = this.#sends.map(({ send }) => keyOf(send));
      const held = await holdSends(postgres, keys, { account: this.#account, owner, leaseMs });
      if (held.length === keys.length) this.#until = from + leaseMs;
    } catch (error) {
      logger.warn({ err: error }, "claim of sends not renewed");
    }
  }
}

interface Attempting {
  readonly lease: Lease;
  readonly signal: AbortSignal;
  readonly ports: SenderPorts;
}

async function attempt(
  account: Account,
  one: IntendedSend,
  { lease, signal, ports }: Attempting,
): Promise<Omit<Done, "intended">> {
  const { transport, mail, attempts, wanted, send } = one;
  const delivered: Delivered = lease.isOver()
    ? { outcome: { kind: "deferred", slowsDown: false } }
    : await transport.handover.deliver({ ...mail, isClaimed: () => !lease.isOver() }, signal);
  const { clock, random = Math.random } = ports;
  const { messaging: settings } = account.settings;
  const settlement = settlementOf(send, {
    delivered,
    attempts: attempts - send.attemptsBefore,
    message: wanted.message,
    settings,
    nowMs: clock.nowMs(),
    random: random(),
  });
  return { settlement, isSlowed: delivered.outcome.kind === "deferred" && delivered.outcome.slowsDown };
}

async function storeOutcomes(
  account: Account,
  done: readonly Done[],
  { postgres, owner, clock }: SenderPorts,
): Promise<void> {
  const nowMs = clock.nowMs();
  await postgres.transaction(async (transaction) => {
    const settled = done.map(({ intended: { send, attempts }, settlement }) => {
      return { ...keyOf(send), attempts, ...settlement.settled };
    });
    const stored = await settleSends(transaction, settled, { account: account.number, owner, nowMs });
    const own = new Set(stored.map(nameOf));
    const activities = done
      .filter(({ intended }) => own.has(nameOf(intended.send)))
      .flatMap(({ intended: { send, wanted, mail }, settlement }) =>
        activitiesOf(account, send, { settlement, wanted, subject: mail.headers.subject }),
      );
    await appendActivities(transaction, account, { activities, nowMs });
  });
}

function count(done: readonly Done[], { metrics }: SenderPorts): void {
  for (const { intended, settlement } of done) {
    const { transport, mail } = intended;
    const { bounce, settled } = settlement;
    const outcome = bounce === undefined ? settled.state : "bounced";
    metrics.attempts.inc({ transport: transport.type, domain: domainLabel(mail.channel, mail.address), outcome });
  }
}
