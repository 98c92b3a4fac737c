import type { Session } from "@headwater/postgres/connection/session";
import { SEND_DOMAIN, SEND_TRANSPORT } from "./sendDomain.ts";

/** Domains by transports that are checked; each takes two reads of an index. */
const PAIRS_MAX = 10_000;
const DUE = "s.state IN ('pending', 'deferred')";

/** Goes from one pair of domain and transport to the next, whatever number of sends each has, and checks its first. */
const oldestStatement = {
  name: "sends_oldest_due",
  text: `WITH RECURSIVE pairs (domain, transport, step) AS (
      (SELECT ${SEND_DOMAIN}, ${SEND_TRANSPORT}, 1 FROM sends s WHERE ${DUE} ORDER BY ${SEND_DOMAIN}, ${SEND_TRANSPORT} LIMIT 1)
      UNION ALL
      SELECT next.domain, next.transport, pairs.step + 1 FROM pairs, LATERAL (
        SELECT ${SEND_DOMAIN} AS domain, ${SEND_TRANSPORT} AS transport FROM sends s
          WHERE ${DUE} AND (${SEND_DOMAIN}, ${SEND_TRANSPORT}) > (pairs.domain, pairs.transport)
          ORDER BY ${SEND_DOMAIN}, ${SEND_TRANSPORT} LIMIT 1) AS next
        WHERE pairs.step < ${PAIRS_MAX})
    SELECT COALESCE(t.type, '') AS transport, pairs.domain, min(oldest.due_at) AS oldest
      FROM pairs CROSS JOIN LATERAL (
        SELECT s.account, s.due_at FROM sends s
          WHERE ${DUE} AND ${SEND_DOMAIN} = pairs.domain AND ${SEND_TRANSPORT} = pairs.transport AND s.due_at <= $1
          ORDER BY s.due_at LIMIT 1) AS oldest
      LEFT JOIN transports t ON t.account = oldest.account AND t.id = pairs.transport
      GROUP BY 1, 2`,
};

/** The send of a transport and domain that has been due for the longest. */
export interface OldestDueSend {
  /** Type of the transport that it was tried by; empty before the first attempt. */
  readonly transport: string;
  /** One of `KNOWN_DOMAINS`, or `other`; of other channels the channel. */
  readonly domain: string;
  /** Milliseconds since 1970. */
  readonly oldest: number;
}

/** Returns the sends that have been due for the longest, by transport and domain. */
export function oldestDueSends(session: Pick<Session, "query">, nowMs: number): Promise<OldestDueSend[]> {
  return session.query<OldestDueSend>(oldestStatement, [nowMs]);
}
