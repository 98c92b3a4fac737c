import { createHttpServer, createKeyCache, type HttpServer, type HttpServerOptions } from "@headwater/http";
import type { Clock, Logger, Metrics } from "@headwater/kernel";
import { systemClock } from "@headwater/kernel";
import type { TrackingTokens } from "@headwater/messaging";
import type { FrameProducer } from "@headwater/topics";
import type { EventQueue } from "./events/eventQueue.ts";
import type { HeldClicks } from "./events/heldClicks.ts";
import { clickRoute, openRoute } from "./routes/countedRoutes.ts";
import { unsubscribePageRoute, unsubscribeRoute } from "./routes/unsubscribeRoutes.ts";

export interface TrackerOptions
  extends Pick<HttpServerOptions, "plainHttp" | "trustedProxies" | "tls" | "tracing" | "slowClients"> {
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly tokens: TrackingTokens;
  readonly producer: Pick<FrameProducer, "append">;
  readonly queue: Pick<EventQueue, "add">;
  readonly clicks: HeldClicks;
  readonly clock?: Clock;
}

/** The public side of messages: nobody has a key here, and a token is all that a call brings. */
export function createTrackerServer(options: TrackerOptions): HttpServer {
  const { tokens, producer, queue, clicks, clock = systemClock, ...http } = options;
  const server = createHttpServer({
    ...http,
    clock,
    keys: createKeyCache({ find: async () => undefined, logger: options.logger }),
    rateClasses: { tracking: { perSecond: () => CALLS_PER_SECOND, usual: CALLS_PER_SECOND } },
    defaultRateClass: "tracking",
    document: {
      title: "Headwater tracking",
      version: "1.0",
      description: "Links, pixels and unsubscribe pages of messages.",
    },
  });
  const ports = { tokens, producer, queue, clicks, clock };
  server.add(openRoute(ports), clickRoute(ports), unsubscribePageRoute(ports), unsubscribeRoute(ports));
  return server;
}

/** Told in the headers of answers; nobody is counted without a key. */
const CALLS_PER_SECOND = 1_000;
