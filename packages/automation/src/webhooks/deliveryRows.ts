import { plainArray, textArray } from "@headwater/postgres/connection/arrays";
import { deleteOlder } from "@headwater/postgres/connection/oldRows";
import type { Session, Transaction } from "@headwater/postgres/connection/session";
import type { Endpoint } from "./callSlots.ts";
import type { DeliveryEnd, StoredEvent } from "./delivery.ts";
import type { SealedSecrets } from "./secrets.ts";

/** An endpoint for which something is due. */
export interface DueEndpoint extends Endpoint {
  /** True where the first due delivery is stored for a replay: its endpoint is gone, or was disabled since it was queued. */
  readonly isKept: boolean;
}

/** A delivery whose call one process may make until its lease ends. */
export interface ClaimedDelivery extends Endpoint, StoredEvent, Omit<SealedSecrets, "id"> {
  /** The account's id, 24 hex characters. */
  readonly accountId: string;
  readonly event: string;
  readonly url: string;
  /** Calls of this round before. */
  readonly attempts: number;
  /** JSON text. */
  readonly tries: string;
  readonly leasedUntil: number;
}

/** The call of a delivery has come to its end. */
export interface EndedDelivery extends DeliveryEnd {
  readonly delivery: Pick<ClaimedDelivery, "account" | "webhook" | "event" | "leasedUntil">;
  readonly isDelivered: boolean;
  readonly isGone: boolean;
  readonly at: number;
  /** Null: nobody answered. */
  readonly status: number | null;
}

/*
 * Endpoints one after the other, each by one probe of the index: however much one of them has waiting, the next is found at once.
 */
const dueStatement = {
  name: "webhook_deliveries_due",
  text: `WITH RECURSIVE first AS (
      (SELECT account, webhook, next_at, activation FROM webhook_deliveries WHERE next_at IS NOT NULL AND (account, webhook) > ($1, $2)
        ORDER BY account, webhook, next_at LIMIT 1)
      UNION ALL
      SELECT n.* FROM first f CROSS JOIN LATERAL (
        SELECT account, webhook, next_at, activation FROM webhook_deliveries
          WHERE next_at IS NOT NULL AND (account, webhook) > (f.account, f.webhook) ORDER BY account, webhook, next_at LIMIT 1
      ) AS n
    )
    SELECT f.account, f.webhook, COALESCE(NOT w.enabled OR f.activation <> w.activation, true) AS "isKept"
      FROM first f LEFT JOIN webhooks w ON w.account = f.account AND w.id = f.webhook WHERE f.next_at <= $3 LIMIT $4`,
};

const WAITS_IN_VAIN = "(w.id IS NULL OR NOT w.enabled OR d.activation <> w.activation)";
const keepStatement = {
  name: "webhook_deliveries_keep",
  text: `UPDATE webhook_deliveries SET state = 'kept', next_at = NULL, leased_until = NULL FROM (
      SELECT d.account, d.webhook, d.event FROM webhook_deliveries d
        LEFT JOIN webhooks w ON w.account = d.account AND w.id = d.webhook
        WHERE d.account = $1 AND d.webhook = $2 AND d.next_at <= $3 AND ${WAITS_IN_VAIN} LIMIT $4 FOR UPDATE OF d SKIP LOCKED
    ) AS k WHERE webhook_deliveries.account = k.account AND webhook_deliveries.webhook = k.webhook AND webhook_deliveries.event = k.event`,
};

/** A class of advisory locks of its own: one process at a time claims, so that calls of all processes to an endpoint are counted exactly. */
const CLAIMS_LOCK = 7_238_441;
const lockStatement = { name: "webhook_claims_lock", text: "SELECT pg_advisory_xact_lock($1::int, 0)" };
const claimStatement = {
  name: "webhook_deliveries_claim",
  text: `WITH claimed AS (
      SELECT d.account, d.webhook, d.event FROM unnest($1::int[], $2::text[], $3::int[]) AS e (account, webhook, most)
        JOIN webhooks w ON w.account = e.account AND w.id = e.webhook AND w.enabled
        CROSS JOIN LATERAL (
          SELECT account, webhook, event FROM webhook_deliveries q
            WHERE q.account = e.account AND q.webhook = e.webhook AND q.next_at <= $4 AND q.activation = w.activation
            ORDER BY q.next_at LIMIT GREATEST(0, LEAST(e.most, $6 - (
              SELECT count(*) FROM webhook_deliveries o WHERE o.account = e.account AND o.webhook = e.webhook
                AND o.next_at > $4 AND o.next_at <= $5 AND o.leased_until IS NOT NULL))) FOR UPDATE SKIP LOCKED
        ) AS d
    )
    UPDATE webhook_deliveries d SET next_at = $5, leased_until = $5
      FROM claimed c JOIN webhook_events e ON e.account = c.account AND e.id = c.event
        JOIN webhooks w ON w.account = c.account AND w.id = c.webhook JOIN intake.accounts a ON a.number = c.account
      WHERE d.account = c.account AND d.webhook = c.webhook AND d.event = c.event
      RETURNING d.account, a.id AS "accountId", d.webhook, d.event, d.attempts, d.tries, $5::bigint AS "leasedUntil", e.type, e.at, e.data,
        e.is_truncated AS "isTruncated", w.url, w.secret, w.former_secret AS "formerSecret", w.former_until AS "formerUntil"`,
};

const endStatement = {
  name: "webhook_deliveries_end",
  text: `UPDATE webhook_deliveries d SET state = e.state, next_at = e.next_at, leased_until = NULL, tries = e.tries, attempts = d.attempts + 1
    FROM unnest($1::int[], $2::text[], $3::text[], $4::bigint[], $5::text[], $6::bigint[], $7::text[])
      AS e (account, webhook, event, leased_until, state, next_at, tries)
    WHERE d.account = e.account AND d.webhook = e.webhook AND d.event = e.event AND d.leased_until = e.leased_until`,
};
const seenStatement = {
  name: "webhooks_seen",
  text: `UPDATE webhooks w SET last_at = s.at, last_status = s.status,
      failing_since = CASE WHEN s.has_success THEN NULL ELSE COALESCE(w.failing_since, s.at) END
    FROM (SELECT w.account, w.id, n.at, n.status, n.has_success
      FROM unnest($1::int[], $2::text[], $3::bigint[], $4::int[], $5::boolean[]) AS n (account, webhook, at, status, has_success)
      JOIN webhooks w ON w.account = n.account AND w.id = n.webhook ORDER BY w.account, w.id FOR NO KEY UPDATE OF w) AS s
    WHERE w.account = s.account AND w.id = s.id`,
};
const disableStatement = {
  name: "webhooks_disable",
  text: `UPDATE webhooks w SET enabled = false, disabled_reason = CASE WHEN n.is_gone THEN 'gone' ELSE 'failing' END,
      disabled_at = $4, updated_at = $4
    FROM unnest($1::int[], $2::text[], $3::boolean[]) AS n (account, webhook, is_gone)
    WHERE w.account = n.account AND w.id = n.webhook AND w.enabled AND (n.is_gone OR w.failing_since <= $5)
    RETURNING w.account, w.id, w.url, w.disabled_reason AS "reason", w.failing_since AS "failingSince"`,
};

/** A webhook that was disabled by itself. */
export interface DisabledWebhook {
  readonly account: number;
  readonly id: string;
  readonly url: string;
  readonly reason: string | null;
  readonly failingSince: number | null;
}

/** Finds endpoints for which something is due, in the order of their names from one on. */
export function dueEndpoints(
  session: Session,
  due: { readonly after: Endpoint; readonly now: number; readonly endpointsMax: number },
): Promise<DueEndpoint[]> {
  const { after, now, endpointsMax } = due;
  return session.query<DueEndpoint>(dueStatement, [after.account, after.webhook, now, endpointsMax]);
}

/** Takes what is due for an endpoint that gets nothing out of the queue, up to `rowsMax`: it stays for a replay. */
export async function keepDeliveries(
  session: Session,
  { account, webhook }: Endpoint,
  { now, rowsMax }: { readonly now: number; readonly rowsMax: number },
): Promise<void> {
  await session.execute(keepStatement, [account, webhook, now, rowsMax]);
}

export interface Claim {
  /** Endpoints, and how many deliveries are wanted of each. */
  readonly endpoints: readonly (Endpoint & { readonly most: number })[];
  readonly now: number;
  /** Instant until which nobody else gets them; after a kill they are due again then. */
  readonly leaseUntil: number;
  /** Calls that an endpoint has open at most, of all processes together. */
  readonly perEndpointMax: number;
}

/** Claims deliveries that are due, the longest waiting first. */
export async function claimDeliveries(
  transaction: Transaction,
  { endpoints, now, leaseUntil, perEndpointMax }: Claim,
): Promise<ClaimedDelivery[]> {
  await transaction.query(lockStatement, [CLAIMS_LOCK]);
  const names = [plainArray(endpoints, ({ account }) => account), textArray(endpoints, ({ webhook }) => webhook)];
  const wanted = plainArray(endpoints, ({ most }) => most);
  return transaction.query<ClaimedDelivery>(claimStatement, [...names, wanted, now, leaseUntil, perEndpointMax]);
}

/**
 * Stores what came of calls. One whose lease has ended changes nothing: its delivery is somebody else's.
 * @returns the webhooks that were disabled for it.
 */
export async function endDeliveries(
  transaction: Transaction,
  ended: readonly EndedDelivery[],
  { nowMs, failingSince }: { readonly nowMs: number; readonly failingSince: number },
): Promise<DisabledWebhook[]> {
  const deliveries = ended.map(({ delivery }) => delivery);
  await transaction.execute(endStatement, [
    plainArray(deliveries, ({ account }) => account),
    textArray(deliveries, ({ webhook }) => webhook),
    textArray(deliveries, ({ event }) => event),
    plainArray(deliveries, ({ leasedUntil }) => leasedUntil),
    textArray(ended, ({ state }) => state),
    plainArray(ended, ({ nextAt }) => nextAt),
    textArray(ended, ({ tries }) => tries),
  ]);
  const seen = [...Map.groupBy(ended, ({ delivery }) => `${delivery.account}/${delivery.webhook}`).values()].map(
    toSeen,
  );
  const names = [plainArray(seen, ({ account }) => account), textArray(seen, ({ webhook }) => webhook)];
  await transaction.execute(seenStatement, [
    ...names,
    plainArray(seen, ({ at }) => at),
    plainArray(seen, ({ status }) => status),
    plainArray(seen, ({ hasSuccess }) => hasSuccess),
  ]);
  if (seen.every(({ hasSuccess, isGone }) => hasSuccess && !isGone)) return [];
  const gone = plainArray(seen, ({ isGone }) => isGone);
  return transaction.query<DisabledWebhook>(disableStatement, [...names, gone, nowMs, failingSince]);
}

/** Returns what is seen of an endpoint by calls that ended together. */
function toSeen(calls: readonly EndedDelivery[]) {
  const [last, ...others] = calls;
  if (last === undefined) throw new Error("a group has a member");
  const latest = others.reduce((one, other) => (other.at >= one.at ? other : one), last);
  const { account, webhook } = latest.delivery;
  const hasSuccess = calls.some(({ isDelivered }) => isDelivered);
  return {
    account,
    webhook,
    at: latest.at,
    status: latest.status,
    hasSuccess,
    isGone: calls.some((call) => call.isGone),
  };
}

/** Deletes events of before then (milliseconds since 1970) with their deliveries, whatever their state. */
export async function deleteOldEvents(session: Session, before: number): Promise<void> {
  await deleteOlder(session, { table: "webhook_deliveries", column: "at" }, before);
  await deleteOlder(session, { table: "webhook_events", column: "at" }, before);
}
