import { textArray } from "@headwater/postgres/connection/arrays";
import { type Conditions, createConditions } from "@headwater/postgres/connection/conditions";
import { keysetOrder } from "@headwater/postgres/connection/keyset";
import type { Session, Transaction } from "@headwater/postgres/connection/session";
import type { DeliveryState } from "./delivery.ts";

/** A delivery as lists show it. */
export interface ListedDelivery {
  readonly event: string;
  readonly type: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly state: string;
  /** JSON text. */
  readonly tries: string;
  readonly nextAt: number | null;
}

export interface DeliveryFilters {
  readonly account: number;
  readonly webhook: string;
  readonly state?: DeliveryState | undefined;
  readonly type?: string | undefined;
  /** Milliseconds since 1970: `from` included, `to` excluded. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

export interface DeliveryPage extends DeliveryFilters {
  readonly direction: "asc" | "desc";
  readonly last: { readonly at: number; readonly event: string } | undefined;
  readonly skip: number;
  readonly rowsMax: number;
}

/** State of a delivery: what waits at a webhook that is disabled, or was since, is not posted by itself. */
const STATE = `CASE WHEN d.state = 'pending' AND (NOT w.enabled OR d.activation <> w.activation) THEN 'kept' ELSE d.state END`;
const FROM = `webhook_deliveries d JOIN webhook_events e ON e.account = d.account AND e.id = d.event
  JOIN webhooks w ON w.account = d.account AND w.id = d.webhook`;

/** Lists deliveries of a webhook in order of (time of the event, id). */
export function pageDeliveries(session: Session, page: DeliveryPage): Promise<ListedDelivery[]> {
  const where = conditionsOf(page);
  const { direction, last, skip, rowsMax } = page;
  const order = keysetOrder(where, { columns: ["d.at", "d.event"], direction, last: last && [last.at, last.event] });
  const limits = `LIMIT ${where.bind(rowsMax)} OFFSET ${where.bind(skip)}`;
  const next = `CASE WHEN ${STATE} = 'pending' THEN d.next_at END AS "nextAt"`;
  const text = `SELECT d.event, e.type, d.at, ${STATE} AS state, d.tries, ${next} FROM ${FROM} WHERE ${where.text()} ORDER BY ${order} ${limits}`;
  return session.query<ListedDelivery>({ text }, where.values);
}

export async function countDeliveries(session: Session, filters: DeliveryFilters): Promise<number> {
  const where = conditionsOf(filters);
  const text = `SELECT count(*) AS count FROM ${FROM} WHERE ${where.text()}`;
  const [row] = await session.query<{ count: number }>({ text }, where.values);
  return row?.count ?? 0;
}

function conditionsOf({ account, webhook, state, type, from, to }: DeliveryFilters): Conditions {
  const where = createConditions();
  where.add(`d.account = ${where.bind(account)} AND d.webhook = ${where.bind(webhook)}`);
  if (state !== undefined) where.add(`${STATE} = ${where.bind(state)}`);
  if (type !== undefined) where.add(`e.type = ${where.bind(type)}`);
  if (from !== undefined) where.add(`d.at >= ${where.bind(from)}`);
  if (to !== undefined) where.add(`d.at < ${where.bind(to)}`);
  return where;
}

const replayStatement = {
  name: "webhook_deliveries_replay",
  text: `WITH page AS (
      SELECT at, event FROM webhook_deliveries WHERE account = $1 AND webhook = $2 AND (at, event) > ($3, $4) AND at < $5
        ORDER BY at, event LIMIT $6
    ), queued AS (
      UPDATE webhook_deliveries q SET state = 'pending', activation = w.activation, next_at = $7, leased_until = NULL, attempts = 0
        FROM page p, webhook_deliveries d JOIN webhook_events e ON e.account = d.account AND e.id = d.event
          JOIN webhooks w ON w.account = d.account AND w.id = d.webhook
        WHERE d.account = $1 AND d.webhook = $2 AND d.event = p.event AND q.account = $1 AND q.webhook = $2 AND q.event = p.event
          AND ${STATE} = ANY ($8::text[]) AND ($9::text[] IS NULL OR e.type = ANY ($9::text[]))
          AND (q.leased_until IS NULL OR q.leased_until <= $7) RETURNING q.event
    )
    SELECT (SELECT count(*) FROM page) AS rows, (SELECT count(*) FROM queued) AS queued,
      (SELECT at FROM page ORDER BY at DESC, event DESC LIMIT 1) AS at, (SELECT event FROM page ORDER BY at DESC, event DESC LIMIT 1) AS event`,
};

export interface Replay {
  readonly account: number;
  readonly webhook: string;
  /** Position behind which the next deliveries are. */
  readonly after: { readonly at: number; readonly event: string };
  /** Milliseconds since 1970; excluded. */
  readonly to: number;
  readonly states: readonly string[];
  /** Types of events; absent: all. */
  readonly types?: readonly string[] | undefined;
  readonly rowsMax: number;
  readonly nowMs: number;
}

/**
 * Makes deliveries due again, of the next ones in order of (time of the event, id). One whose call is open stays as it is.
 * @returns how many were made due, and the position behind the last one that was read; none at the end.
 */
export async function replayDeliveries(
  transaction: Transaction,
  { account, webhook, after, to, states, types, rowsMax, nowMs }: Replay,
): Promise<{ readonly queued: number; readonly after: Replay["after"] | undefined }> {
  const position = [account, webhook, after.at, after.event, to, rowsMax, nowMs];
  const chosen = [textArray(states, (state) => state), types === undefined ? null : textArray(types, (type) => type)];
  const [row] = await transaction.query<{ rows: number; queued: number; at: number | null; event: string | null }>(
    replayStatement,
    [...position, ...chosen],
  );
  const { rows, queued, at, event } = row ?? { rows: 0, queued: 0, at: null, event: null };
  const isWhole = rows < rowsMax || at === null || event === null;
  return { queued, after: isWhole ? undefined : { at, event } };
}
