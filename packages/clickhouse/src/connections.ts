import { Agent as HttpAgent } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import type { ClickHouseClientConfigOptions } from "@clickhouse/client";

/** An idle connection is closed after this time, or a second before the server would, whichever comes first. */
const IDLE_MS = 5_000;

export interface ConnectionOptions {
  readonly url: string;
  readonly connectionsMax: number;
}

/**
 * Connections whose idle time Node's own agent watches. The client's timer is off: a query that is aborted while it waits for a
 * connection leaves the timer of that connection running, which then cuts the query of another caller.
 */
export function connectionsOf({ url, connectionsMax }: ConnectionOptions): ClickHouseClientConfigOptions {
  const options = { keepAlive: true, maxSockets: connectionsMax, timeout: IDLE_MS };
  return {
    url,
    max_open_connections: connectionsMax,
    http_agent: new URL(url).protocol === "https:" ? new HttpsAgent(options) : new HttpAgent(options),
    keep_alive: { enabled: true, idle_socket_ttl: 0 },
  };
}
