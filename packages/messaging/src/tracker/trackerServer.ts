import { STATUS_CODES } from "node:http";
import {
  type Answer,
  createHttpServer,
  createKeyCache,
  type HttpServer,
  type HttpServerOptions,
  type Route,
} from "@headwater/http";
import { type Clock, type Logger, type Metrics, systemClock } from "@headwater/kernel";
import type { FrameProducer } from "@headwater/topics";
import type { TrackingTokens } from "../tracking/trackingTokens.ts";
import type { EventQueue } from "./events/eventQueue.ts";
import type { HeldClicks } from "./events/heldClicks.ts";
import { type AddressLimit, type AddressLimits, createAddressLimits } from "./limits/addressLimits.ts";
import type { OfferedLists } from "./preferences/offeredLists.ts";
import type { IsPending } from "./preferences/pendingChannel.ts";
import { type ProviderPorts, providerRoute } from "./provider/providerRoute.ts";
import { plainText } from "./routes/answers.ts";
import { clickRoute, openRoute } from "./routes/countedRoutes.ts";
import { unsubscribePageRoute, unsubscribeRoute } from "./routes/unsubscribeRoutes.ts";
import type { RenderView } from "./view/renderView.ts";
import { viewRoute } from "./view/viewRoute.ts";

const LOOPBACK = /^(::ffff:)?127\.|^::1$/;

const RETRY_SECONDS = 1;

export interface TrackerOptions
  extends Pick<HttpServerOptions, "plainHttp" | "trustedProxies" | "tls" | "tracing" | "slowClients"> {
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly tokens: TrackingTokens;
  readonly producer: Pick<FrameProducer, "append">;
  readonly queue: Pick<EventQueue, "add">;
  readonly clicks: HeldClicks;
  readonly clock?: Clock;
  /** Ports of events that providers post; without them there is no such route. */
  readonly provider?: Pick<ProviderPorts, "answerHelp" | "findTransport" | "nameWriters" | "reader" | "sealer">;
  /** Renders a message as it was sent; without it there is no such route. */
  readonly renderView?: RenderView;
  /** Lists of the unsubscribe page; without them it offers the channel alone. */
  readonly lists?: OfferedLists;
  /** Says whether a contact has asked for a channel and not confirmed it yet; without it the page asks nobody. */
  readonly isPending?: IsPending;
  /** Calls of one address; for tests. */
  readonly addressLimit?: AddressLimit;
}

/** The public side of messages: nobody has a key here, and a token is all that a call brings. */
export function createTrackerServer(options: TrackerOptions): HttpServer {
  const { tokens, producer, queue, clicks, clock = systemClock, provider, ...input } = options;
  const { addressLimit = ADDRESS_LIMIT, renderView, lists, isPending, ...http } = input;
  const server = createHttpServer({
    ...http,
    clock,
    keys: createKeyCache({ find: async () => undefined, logger: options.logger }),
    rateClasses: { tracking: { perSecond: () => CALLS_PER_SECOND, usual: CALLS_PER_SECOND } },
    defaultRateClass: "tracking",
    errorAnswer: refusedBeforeRoutes,
    document: {
      title: "Headwater tracking",
      version: "1.0",
      description: "Links, pixels and unsubscribe pages of messages.",
    },
  });
  const ports = { tokens, producer, queue, clicks, clock, lists, isPending };
  const routes = [openRoute(ports), clickRoute(ports), unsubscribePageRoute(ports), unsubscribeRoute(ports)];
  if (provider !== undefined) routes.push(providerRoute({ ...provider, producer, metrics: options.metrics }));
  if (renderView !== undefined) routes.push(viewRoute({ tokens, renderView }));
  const limits = createAddressLimits(addressLimit);
  server.add(...routes.map((route) => limitedByAddress(route, { limits, clock })));
  return server;
}

/** A path that cannot be decoded ends in a token that was changed: it is as unknown as any other. */
function refusedBeforeRoutes({ status, body, headers }: Answer): Answer {
  const view = bodyCode(body) === "BAD_REQUEST" ? 404 : status;
  return plainText(view, STATUS_CODES[view] ?? "Error", headers);
}

function bodyCode(body: unknown): unknown {
  return typeof body === "object" && body !== null && "code" in body ? body.code : undefined;
}

/** A mailbox provider fetches pictures of many persons from few addresses. */
const ADDRESS_LIMIT = { perSecond: 100, burst: 2_000 };
/** Shown in the headers of answers; nobody is counted without a key. */
const CALLS_PER_SECOND = 1_000;

interface LimitPorts {
  readonly limits: AddressLimits;
  readonly clock: Pick<Clock, "monotonicMs">;
}

/** Answers 429 to an address that calls too often. The loopback is a proxy of the operator, behind which all clients are. */
export function limitedByAddress(route: Route, { limits, clock }: LimitPorts): Route {
  return {
    ...route,
    run(call) {
      const { clientAddress: address } = call;
      const isFree = address === undefined || LOOPBACK.test(address) || limits.take(address, clock.monotonicMs());
      return isFree ? route.run(call) : plainText(429, "Too many requests.", { "Retry-After": String(RETRY_SECONDS) });
    },
  };
}
