import type { IncomingMessage } from "node:http";
import {
  type Clock,
  createNetworks,
  type Logger,
  type Metrics,
  type Networks,
  newRequestId,
  systemClock,
} from "@headwater/kernel";
import Fastify, { type FastifyInstance, type InjectOptions, type LightMyRequestResponse } from "fastify";
import type { Answer } from "../answers/answer.ts";
import { type AnswerBudgetOptions, createAnswerBudget } from "../answers/answerBudget.ts";
import { createBodyBudget } from "../body/bodyBudget.ts";
import { type BodyWatch, createBodyWatch } from "../body/bodyWatch.ts";
import { registerDocs } from "../docs/docsPlugin.ts";
import { buildOpenApi, type DocumentInfo } from "../docs/openApi.ts";
import type { Caller } from "../guards/caller.ts";
import type { KeyCache } from "../guards/keyCache.ts";
import { createPeers, type PlainHttp } from "../guards/peers.ts";
import { rateHeaders } from "../guards/rateHeaders.ts";
import { createRateLimiter, type RateClass } from "../guards/rateLimiter.ts";
import type { JsonSchema, Route } from "../routes/route.ts";
import { createAccessMetrics } from "./accessMetrics.ts";
import { createCertificate, type TlsFiles } from "./certificate.ts";
import { createFailureLog } from "./failureLog.ts";
import { toFastifyPath } from "./fastifyPath.ts";
import { createNodeServer } from "./nodeServer.ts";
import { METHODS, refuseFrameworkErrors, refuseOtherMethods, refuseUnknownRoutes } from "./refuseOthers.ts";
import { serve } from "./serve.ts";
import type { AnsweredCall, ServerParts } from "./serverParts.ts";

/** More than any body we take: who sends so much after a refusal is cut off. */
const BYTES_MAX = 32 * 1024 * 1024;

const TIMEOUT_MS = 10_000;

export interface HttpServerOptions {
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly plainHttp: PlainHttp;
  /** Addresses and ranges of proxies that are believed who their clients are and how they came; default none. */
  readonly trustedProxies?: readonly string[];
  readonly keys: KeyCache;
  readonly rateClasses: Readonly<Record<string, RateClass>>;
  /** Shown on answers of no route, e.g. 404. */
  readonly defaultRateClass: string;
  readonly document: DocumentInfo;
  readonly clock?: Clock;
  readonly tls?: TlsFiles;
  readonly tracing?: boolean;
  /** Called for each call of a known caller once it is answered; it stands on the way of every call. */
  readonly onAnswer?: (answered: AnsweredCall) => void;
  readonly connectionsMax?: number;
  readonly requestsInFlightMax?: number;
  /** Bodies held at one time, over all requests; default 256 MiB. */
  readonly bodyBytesInFlightMax?: number;
  /** Bounds of large answers on their way; for tests. */
  readonly answers?: AnswerBudgetOptions;
  /** Bounds on slow clients; for tests. */
  readonly slowClients?: Partial<SlowClients>;
  /** Gives errors another form than the one error body, for servers whose clients are no programs. */
  readonly errorAnswer?: (answer: Answer) => Answer;
}

export interface SlowClients {
  readonly headersTimeoutMs: number;
  readonly bodyTimeoutMs: number;
  readonly windowMs: number;
  readonly bytesPerSecondMin: number;
}

export interface ListenAddress {
  readonly host: string;
  readonly port: number;
  /** Lets other processes listen on it, too. */
  readonly reusePort?: boolean;
}

export interface HttpServer {
  add(...routes: readonly Route[]): void;
  /** Registers all routes; `start` does it, too. */
  ready(): Promise<void>;
  /** @returns the port it listens on: `port`, or a free one for 0. */
  start(address: ListenAddress): Promise<number>;
  /** Takes no new connection, answers what runs with `Connection: close`, and cuts what is left after `timeoutMs`. */
  stop(options?: { readonly timeoutMs?: number }): Promise<void>;
  openApi(): JsonSchema;
  /** A request without a socket, for tests. */
  inject(request: InjectOptions): Promise<LightMyRequestResponse>;
}

const MIB = 1024 * 1024;
const slowClientsDefault: SlowClients = {
  headersTimeoutMs: 10_000,
  bodyTimeoutMs: 60_000,
  windowMs: 10_000,
  bytesPerSecondMin: 1024,
};
const STOP_TIMEOUT_MS = 10_000;
const IDLE_CHECK_MS = 100;
/**
 * Connections that wait until the process takes them, as many as Linux allows by default. Of Node's own 511 a crowd that comes at once, after a restart say, has
 * the rest dropped, and their clients try again after 1, 3, 7 and 15 seconds.
 */
const BACKLOG = 4_096;

/**
 * An HTTP server of our routes. Fastify routes, listens and drains; time bounds, bodies, keys, rates and answers are the
 * same for every route and made here.
 */
export function createHttpServer(options: HttpServerOptions): HttpServer {
  const slowClients = { ...slowClientsDefault, ...options.slowClients };
  const parts = createParts(options, slowClients);
  const app = createFastify(options, parts, slowClients.headersTimeoutMs);
  const routes: Route[] = [];
  let readying: Promise<void> | undefined;

  const openApi = () => buildOpenApi(options.document, routes);
  async function registerAll(): Promise<void> {
    register(app, parts, routes, openApi());
    await app.ready();
  }
  function ready(): Promise<void> {
    readying ??= registerAll();
    return readying;
  }

  return {
    add: (...more) => void routes.push(...more),
    ready,
    openApi,
    async start(address) {
      await ready();
      await app.listen({ ...address, backlog: BACKLOG });
      return portOf(app);
    },
    async stop({ timeoutMs = STOP_TIMEOUT_MS } = {}) {
      parts.load.isStopping = true;
      const cut = setTimeout(() => app.server.closeAllConnections(), timeoutMs).unref();
      // Node searches for idle connections once, at the beginning; those whose answer had begun by then become idle later.
      const idle = setInterval(() => app.server.closeIdleConnections(), IDLE_CHECK_MS).unref();
      await app.close();
      clearTimeout(cut);
      clearInterval(idle);
      parts.watch.stop();
    },
    async inject(request) {
      await ready();
      return app.inject(request);
    },
  };
}

function createParts(options: HttpServerOptions, slowClients: SlowClients): ServerParts {
  const { logger, metrics, keys, defaultRateClass, clock = systemClock } = options;
  const watch = createBodyWatch({ clock, ...slowClients });
  return {
    logger,
    logFailure: createFailureLog(logger, clock),
    clock,
    keys,
    defaultRateClass,
    watch,
    newRequestId: () => newRequestId(),
    peers: createPeers({ plainHttp: options.plainHttp, trustedProxies: options.trustedProxies ?? [] }),
    isAllowedFrom: createAllowedAddress(),
    rates: createRateLimiter(options.rateClasses, clock),
    budget: createBodyBudget(options.bodyBytesInFlightMax ?? 256 * MIB),
    answers: createAnswerBudget(options.answers),
    access: createAccessMetrics(metrics, options.tracing ?? false),
    onAnswer: options.onAnswer,
    errorAnswer: options.errorAnswer ?? ((answer) => answer),
    discard: createDiscard(watch),
    load: { inFlight: 0, inFlightMax: options.requestsInFlightMax ?? 10_000, isStopping: false },
  };
}

/** Long enough for an identifier of 512 characters, each of them escaped. */
const PARAM_CHARACTERS_MAX = 6_144;

function createFastify(options: HttpServerOptions, parts: ServerParts, headersTimeoutMs: number): FastifyInstance {
  const { newRequestId, rates, defaultRateClass, clock, peers } = parts;
  const isProxy = (address: string) => peers.isTrusted(address);
  const { tls, connectionsMax = 10_000, logger, metrics } = options;
  const certificate = tls && createCertificate(tls, logger, metrics);
  const defaultHeaders = () => rateHeaders(rates.full(defaultRateClass), clock.nowMs());
  const app = Fastify({
    logger: false,
    return503OnClosing: false,
    forceCloseConnections: "idle",
    genReqId: () => "",
    routerOptions: { maxParamLength: PARAM_CHARACTERS_MAX },
    frameworkErrors: refuseFrameworkErrors(parts),
    serverFactory: (handler) =>
      createNodeServer(handler, {
        certificate,
        connectionsMax,
        isProxy,
        headersTimeoutMs,
        newRequestId,
        usualHeaders: defaultHeaders,
      }),
  });
  // Bodies are read by `readBody`, in the order of checks that the specification sets; Fastify leaves them alone.
  for (const method of METHODS) app.addHttpMethod(method, { hasBody: false, overrideExisting: true });
  return app;
}

function register(app: FastifyInstance, parts: ServerParts, routes: readonly Route[], document: JsonSchema): void {
  registerDocs(app, parts, document);
  for (const route of routes) {
    parts.access.known(route.path);
    app.route({ method: route.method, url: toFastifyPath(route.path), handler: serve(parts, route) });
  }
  refuseOtherMethods(app, parts, routes);
  refuseUnknownRoutes(app, parts);
}

function portOf(app: FastifyInstance): number {
  const address = app.server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no TCP address");
  return address.port;
}

/** @returns a test of whether a key may be used from an address. Lists are read once for each key as it was looked up. */
export function createAllowedAddress(): (key: Caller, address: string | undefined) => boolean {
  const listOf = new WeakMap<Caller, Networks>();
  return (key, address) => {
    if (key.allowIps === undefined) return true;
    let list = listOf.get(key);
    if (list === undefined) {
      list = createNetworks(key.allowIps);
      listOf.set(key, list);
    }
    return address !== undefined && list.has(address);
  };
}

/**
 * Reads on what a refused request still sends: a connection that is closed on unread bytes is reset, and its client may
 * never see the answer. Bounded in bytes and time; a slow one is closed.
 */
function createDiscard(watch: BodyWatch): (request: IncomingMessage) => void {
  return (request) => {
    const { socket } = request;
    const fromBytes = socket.bytesRead;
    const close = () => request.destroy();
    const unwatch = watch.add({ receivedBytes: () => socket.bytesRead, tooSlow: close });
    const timer = setInterval(() => {
      if (request.complete || request.readableEnded || request.destroyed) stop();
      else if (socket.bytesRead - fromBytes > BYTES_MAX) close();
    }, 100).unref();
    const deadline = setTimeout(close, TIMEOUT_MS).unref();
    function stop(): void {
      unwatch();
      clearInterval(timer);
      clearTimeout(deadline);
    }
    request.once("close", stop);
    request.resume();
  };
}
