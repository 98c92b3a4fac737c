import { publishEvents } from "@headwater/api/webhookEvents/publishEvents";
import { isGone, isSuccess, type PostOutcome, postSigned } from "@headwater/jobs/notices/postSigned";
import {
  type Clock,
  createWorkLoop,
  type Logger,
  type Outbound,
  pause,
  type RetryOptions,
  retryForever,
  type Sealer,
  type WorkLoop,
} from "@headwater/kernel";
import type { Postgres } from "@headwater/postgres/connection/postgres";
import { mailDisabledWebhook } from "../alerts/notices.ts";
import { type CallSlots, createCallSlots, type Endpoint } from "./callSlots.ts";
import { bodyOf, endOf, FAILING_MAX_MS } from "./delivery.ts";
import {
  type Claim,
  type ClaimedDelivery,
  claimDeliveries,
  type DueEndpoint,
  dueEndpoints,
  type EndedDelivery,
  endDeliveries,
  keepDeliveries,
} from "./deliveryRows.ts";
import { openSecrets } from "./secrets.ts";

export interface DeliveryPorts {
  readonly postgres: Postgres;
  readonly outbound: Outbound;
  /** Undefined: the installation has no key. There are no webhooks then. */
  readonly sealer: Sealer | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Counts a call by what came of it. */
  readonly onOutcome: (outcome: CallEnd) => void;
}

export const callEnds = ["delivered", "retried", "failed", "gone"] as const;
export type CallEnd = (typeof callEnds)[number];

/** Calls that a process has open at a time. */
export const CALLS_MAX = 256;
const CALLS_PER_ENDPOINT_MAX = 10;
/** Endpoints that one pass takes. */
const ENDPOINTS_AT_ONCE = 100;
/** Deliveries that one pass claims: their bodies are in memory together. */
const CLAIMED_AT_ONCE = 100;
/** Longer than a call and the wait for the store of its outcome take. */
const LEASE_MS = 60_000;
const CHECK_EVERY_MS = 250;
const KEPT_AT_ONCE = 1_000;
const RETRY = { minMs: 100, maxMs: 5_000 };
type Wanted = Endpoint & { readonly most: number };
const FIRST: Endpoint = { account: -1, webhook: "" };

/** Posts events to the webhooks that listen to them, each at least once, with the same id every time. */
export function createEventDeliveries(ports: DeliveryPorts): WorkLoop {
  const deliveries = new Deliveries(ports);
  const loop = createWorkLoop({
    work: () => deliveries.startDue(),
    idleMs: CHECK_EVERY_MS,
    ...RETRY,
    onRetry: ({ error }) => ports.logger.warn({ err: error }, "delivering webhook events failed, retrying"),
  });
  return {
    start: () => loop.start(),
    async stop() {
      await loop.stop();
      await deliveries.empty();
    },
  };
}

/** Posts what is due, and returns once every call has ended. */
export async function deliverEvents(ports: DeliveryPorts): Promise<void> {
  const deliveries = new Deliveries(ports);
  while (await deliveries.startDue());
  await deliveries.empty();
}

class Deliveries {
  readonly #ports: DeliveryPorts;
  readonly #slots: CallSlots = createCallSlots(CALLS_MAX, CALLS_PER_ENDPOINT_MAX);
  readonly #running = new Set<Promise<void>>();
  /** Calls that have ended, and whose outcome is not stored yet. */
  #ended: EndedDelivery[] = [];
  #storing: Promise<void> | undefined;
  /** The endpoint after which the next pass begins, so that each has its turn. */
  #after: Endpoint = FIRST;

  constructor(ports: DeliveryPorts) {
    this.#ports = ports;
  }

  /** Opens calls for what is due, as far as endpoints and accounts have slots. @returns whether there may be more. */
  async startDue(): Promise<boolean> {
    const { postgres, clock, sealer } = this.#ports;
    if (sealer === undefined) return false;
    const now = clock.nowMs();
    const due = await dueEndpoints(postgres, { after: this.#after, now, endpointsMax: ENDPOINTS_AT_ONCE });
    const isWhole = due.length < ENDPOINTS_AT_ONCE;
    const began = this.#after;
    this.#after = isWhole ? FIRST : (due.at(-1) ?? FIRST);
    for (const endpoint of due.filter(({ isKept }) => isKept))
      await keepDeliveries(postgres, endpoint, { now, rowsMax: KEPT_AT_ONCE });
    const endpoints = this.#reserve(due);
    const claim = { endpoints, now, leaseUntil: now + LEASE_MS, perEndpointMax: CALLS_PER_ENDPOINT_MAX };
    const claimed = await this.#claim(claim);
    this.#return(endpoints, claimed);
    for (const delivery of claimed) this.#start(delivery, sealer);
    if (due.length > 0 && claimed.length === 0) await this.#freed();
    return due.length > 0 || began !== FIRST;
  }

  /** Claims deliveries. Where that fails, the slots that were taken for them are free again. */
  async #claim(claim: Claim): Promise<ClaimedDelivery[]> {
    if (claim.endpoints.length === 0) return [];
    try {
      return await this.#ports.postgres.transaction((transaction) => claimDeliveries(transaction, claim));
    } catch (error) {
      this.#return(claim.endpoints, []);
      throw error;
    }
  }

  async empty(): Promise<void> {
    await Promise.all(this.#running);
    await this.#storing;
  }

  /** Takes slots for what is due. @returns how many deliveries are wanted of each endpoint. */
  #reserve(due: readonly DueEndpoint[]): Wanted[] {
    let left = CLAIMED_AT_ONCE;
    return due.flatMap(({ isKept, ...endpoint }) => {
      const most = isKept ? 0 : Math.min(left, this.#slots.capacityOf(endpoint));
      left -= most;
      for (let taken = 0; taken < most; taken += 1) this.#slots.take(endpoint);
      return most === 0 ? [] : [{ ...endpoint, most }];
    });
  }

  /** Gives back the slots for which nothing was claimed. */
  #return(endpoints: readonly Wanted[], claimed: readonly ClaimedDelivery[]): void {
    const found = Map.groupBy(claimed, ({ account, webhook }) => `${account}/${webhook}`);
    for (const { most, ...endpoint } of endpoints) {
      const used = found.get(`${endpoint.account}/${endpoint.webhook}`)?.length ?? 0;
      for (let unused = most - used; unused > 0; unused -= 1) this.#slots.give(endpoint);
    }
  }

  /** Waits until an open call has ended, or for a while. */
  async #freed(): Promise<void> {
    await Promise.race([...this.#running, pause(CHECK_EVERY_MS, new AbortController().signal)]);
  }

  #start(delivery: ClaimedDelivery, sealer: Sealer): void {
    const running = this.#deliver(delivery, sealer).finally(() => void this.#running.delete(running));
    this.#running.add(running);
  }

  async #deliver(delivery: ClaimedDelivery, sealer: Sealer): Promise<void> {
    const ended = await callEndpoint(delivery, { ...this.#ports, sealer });
    this.#ports.onOutcome(callEndOf(ended));
    this.#ended.push(ended);
    try {
      await this.#storeEnded();
    } finally {
      this.#slots.give(delivery, ended.isDelivered);
    }
  }

  /** Stores what has ended. Calls that end while others are stored are stored after them, together. */
  async #storeEnded(): Promise<void> {
    this.#storing ??= this.#store().finally(() => {
      this.#storing = undefined;
    });
    await this.#storing;
  }

  async #store(): Promise<void> {
    while (this.#ended.length > 0) {
      const ended = this.#ended;
      this.#ended = [];
      await this.#storeTogether(ended);
    }
  }

  async #storeTogether(ended: readonly EndedDelivery[]): Promise<void> {
    const { logger } = this.#ports;
    const signal = AbortSignal.timeout(LEASE_MS);
    const onRetry: RetryOptions["onRetry"] = ({ error }) =>
      logger.warn({ err: error }, "storing outcomes of webhook calls failed, retrying");
    try {
      await retryForever(() => storeEnds(ended, this.#ports), { ...RETRY, signal, onRetry });
    } catch (error) {
      if (!signal.aborted) throw error;
      // Their leases have ended: they are due again, under the same ids.
      logger.warn({ calls: ended.length }, "outcomes of webhook calls could not be stored, the calls are repeated");
    }
  }
}

/** Posts an event to its endpoint. */
async function callEndpoint(
  delivery: ClaimedDelivery,
  { sealer, clock, outbound }: DeliveryPorts & { readonly sealer: Sealer },
): Promise<EndedDelivery> {
  const { account, accountId, webhook, event, url, leasedUntil } = delivery;
  const at = clock.nowMs();
  const secrets = openSecrets({ ...delivery, id: webhook }, { accountId, nowMs: at, sealer });
  const post = { url, id: event, body: bodyOf(delivery), account };
  const { status, ms, error, retryAfterMs }: PostOutcome =
    secrets === undefined
      ? { ms: 0, error: "The secret cannot be opened with the keys of the installation." }
      : await postSigned({ ...post, secrets }, { outbound, clock });
  const seen = { at, status: status ?? null, ms, ...(error !== undefined && { error }) };
  const outcome = { ...seen, isDelivered: isSuccess(status), isGone: isGone(status), retryAfterMs };
  return { ...outcome, ...endOf(delivery, outcome), delivery: { account, webhook, event, leasedUntil } };
}

function callEndOf({ state, isGone: hasGone }: EndedDelivery): CallEnd {
  if (hasGone) return "gone";
  if (state === "delivered") return "delivered";
  return state === "failed" ? "failed" : "retried";
}

/** Stores what came of calls, and notifies other webhooks and alert addresses of an account of those that are disabled for it. */
function storeEnds(ended: readonly EndedDelivery[], { postgres, clock, logger }: DeliveryPorts): Promise<void> {
  return postgres.transaction(async (transaction) => {
    const nowMs = clock.nowMs();
    const disabled = await endDeliveries(transaction, ended, { nowMs, failingSince: nowMs - FAILING_MAX_MS });
    for (const { account, id, url, reason, failingSince } of disabled) {
      logger.info({ webhook: id, reason }, "webhook disabled");
      const ids = { id, reason };
      const data = {
        ...ids,
        url,
        ...(failingSince !== null && { failingSince: new Date(failingSince).toISOString() }),
      };
      const event = { type: "webhook.disabled", source: `${id}/${nowMs}`, at: nowMs, data, ids } as const;
      await publishEvents(transaction, { account, nowMs }, [{ ...event, exceptWebhook: id }]);
      await mailDisabledWebhook(transaction, { account, nowMs }, { id, url, reason });
    }
  });
}
