import type { IncomingMessage } from "node:http";
import type { Clock, Logger } from "@headwater/kernel";
import type { BodyBudget } from "../body/bodyBudget.ts";
import type { BodyWatch } from "../body/bodyWatch.ts";
import type { ApiKey, KeyCache } from "../guards/keyCache.ts";
import type { Peers } from "../guards/peers.ts";
import type { RateLimiter } from "../guards/rateLimiter.ts";
import type { AccessMetrics } from "./accessMetrics.ts";

/** Parts that all exchanges of a server share. */
export interface ServerParts {
  readonly logger: Logger;
  readonly clock: Clock;
  readonly newRequestId: () => string;
  readonly peers: Peers;
  readonly isAllowedFrom: (key: ApiKey, address: string | undefined) => boolean;
  readonly keys: KeyCache;
  readonly rates: RateLimiter;
  readonly defaultRateClass: string;
  readonly budget: BodyBudget;
  readonly watch: BodyWatch;
  readonly access: AccessMetrics;
  /** Reads on, within bounds, what a refused request still sends, so that its client sees the answer. */
  readonly discard: (request: IncomingMessage) => void;
  readonly load: { inFlight: number; readonly inFlightMax: number; isStopping: boolean };
}
