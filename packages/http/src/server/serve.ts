import type { IncomingMessage, ServerResponse } from "node:http";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Answer } from "../answers/answer.ts";
import { refusal } from "../answers/refusal.ts";
import { type BodyHead, readBodyHead } from "../body/bodyHead.ts";
import { readBody } from "../body/readBody.ts";
import { tooLarge } from "../body/refusedBody.ts";
import { streamBody } from "../body/streamBody.ts";
import { type AuthScheme, authenticationFailed, keyOf, schemeSent } from "../guards/authentication.ts";
import { type Caller, missingRight } from "../guards/caller.ts";
import { isDryRun } from "../routes/dryRunQuery.ts";
import type { BodyRules, Call, Route, StreamRules } from "../routes/route.ts";
import { planBody } from "./bodyCaller.ts";
import { RequestContext } from "./requestContext.ts";
import type { ServerParts } from "./serverParts.ts";

const NO_BYTES = Buffer.alloc(0);

/**
 * Runs a route: HTTPS, size, content type, raw body, key, rate, then the route itself. Fastify routes and listens;
 * bodies and answers are written by us, so that every answer is built by one function and costs no hooks. The key of a header is
 * checked before the body is read, and refused after it: who has none gets no more read than a small body.
 */
export function serve(parts: ServerParts, route: Route): (request: FastifyRequest, reply: FastifyReply) => void {
  const fallback = parts.rates.full(route.rateClass ?? parts.defaultRateClass);
  return (request, reply) => {
    reply.hijack();
    const context = new RequestContext(parts, request.raw, reply.raw, route.path, fallback);
    const arrived = { parts, route, context, request, reply };
    if (!parts.peers.isSecure(request.raw)) context.fail(httpsRequired());
    else if (parts.load.inFlight > parts.load.inFlightMax) context.fail(tooBusy());
    else if (route.stream !== undefined) runStreaming(arrived, route.stream);
    else if (route.bodyRules === undefined) run({ ...arrived, bytes: NO_BYTES, mediaType: "", found: undefined });
    else identifyThenRead(arrived, route.bodyRules);
  };
}

/** The size that is announced is checked here; key, rate and scope come before the first byte is read. */
function runStreaming(arrived: Arrived, { bytesMax }: StreamRules): void {
  const announced = Number(arrived.request.raw.headers["content-length"] ?? 0);
  if (announced > bytesMax) arrived.context.fail(tooLarge("bytes", bytesMax).error);
  else run({ ...arrived, bytes: NO_BYTES, mediaType: "", found: undefined });
}

interface Arrived {
  readonly parts: ServerParts;
  readonly route: Route;
  readonly context: RequestContext;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

interface Received extends Arrived {
  readonly bytes: Buffer;
  readonly mediaType: string;
  /** Owner of the key in the header, where it was looked up already; a failure is answered after the body. */
  readonly found: Found | undefined;
}

type Found =
  | { readonly kind: "caller"; readonly caller: Caller | undefined; readonly atMs: number }
  | { readonly kind: "failed"; readonly error: unknown };

/** Checks what the headers say of the body, then whose key they hold, which is known at once for a key in use. */
function identifyThenRead(arrived: Arrived, rules: BodyRules): void {
  const { context, parts, request, route } = arrived;
  const head = readBodyHead(request.raw, rules);
  if (head.kind === "refused") {
    context.fail(head.error);
    return;
  }
  const auth = schemeOf(route, request);
  const key = auth === undefined ? undefined : keyOf(auth, request.headers);
  const go = (found: Found) => read(arrived, { rules, head, auth, found });
  if (key === undefined) {
    go({ kind: "caller", caller: undefined, atMs: 0 });
    return;
  }
  const atMs = parts.clock.monotonicMs();
  const found = parts.keys.find(key, parts.peers.clientNetwork(request.raw));
  if (found instanceof Promise) {
    found
      .then((caller): Found => ({ kind: "caller", caller, atMs }))
      .catch((error: unknown): Found => ({ kind: "failed", error }))
      .then(go)
      .catch((error: unknown) => context.fail(error));
  } else {
    go({ kind: "caller", caller: found, atMs });
  }
}

interface Identified {
  readonly rules: BodyRules;
  readonly head: BodyHead;
  readonly auth: AuthScheme | undefined;
  readonly found: Found;
}

function read(arrived: Arrived, { rules, head, auth, found }: Identified): void {
  const { context, parts, route } = arrived;
  const request = arrived.request.raw;
  const caller = found.kind === "caller" ? found.caller : undefined;
  if (caller !== undefined) context.identified(caller, route);
  const refused = () => {
    const error = found.kind === "failed" ? found.error : notAuthenticated(auth);
    return { kind: "failed", error } as const;
  };
  const plan = planBody({ parts, route, rules, request, head }, caller, refused);
  readBody(request, {
    ...plan,
    head,
    rules,
    watch: parts.watch,
    done(result) {
      if (result.kind === "gone") {
        context.gone();
      } else if (result.kind === "body") {
        context.holds(plan.charge);
        run({ ...arrived, bytes: result.bytes, mediaType: head.mediaType, found });
      } else {
        plan.charge.release();
        context.fail(result.error);
      }
    },
  });
}

function schemeOf({ auth, optionalAuth }: Route, { headers }: FastifyRequest): AuthScheme | undefined {
  return auth ?? schemeSent(optionalAuth, headers);
}

function notAuthenticated(auth: AuthScheme | undefined) {
  return auth === undefined ? refusal("AUTHENTICATION_FAILED", NOT_AUTHENTICATED) : authenticationFailed(auth);
}

const NOT_AUTHENTICATED = "The request is not authenticated.";

/** Runs the route, and answers whatever happens: an error that is thrown here would end the process. */
function run(received: Received): void {
  const { context } = received;
  try {
    const answer = answerTo(received);
    if (answer instanceof Promise) {
      answer.then((value) => context.answer(value)).catch((error: unknown) => context.fail(error));
    } else {
      context.answer(answer);
    }
  } catch (error) {
    context.fail(error);
  }
}

/** Synchronous from the last byte of the body to the route, for keys that are known. */
function answerTo(received: Received): Answer | Promise<Answer> {
  const { route, parts, request, found } = received;
  const auth = schemeOf(route, request);
  if (auth === undefined) return route.run(new ReceivedCall(received, undefined));
  if (found?.kind === "failed") throw found.error;
  const isOld = found !== undefined && parts.clock.monotonicMs() - found.atMs > FOUND_GOOD_MS;
  if (found !== undefined && !isOld) return admit(received, auth, found.caller);
  const key = keyOf(auth, request.headers);
  if (key === undefined) throw authenticationFailed(auth);
  const again = parts.keys.find(key, parts.peers.clientNetwork(request.raw));
  return again instanceof Promise
    ? again.then((caller) => admit(received, auth, caller))
    : admit(received, auth, again);
}

/** A body may take a minute: a key that was revoked meanwhile is refused. */
const FOUND_GOOD_MS = 250;

function admit(received: Received, auth: AuthScheme, caller: Caller | undefined): Answer | Promise<Answer> {
  if (caller === undefined) throw authenticationFailed(auth);
  admitCaller(received, caller);
  return received.route.run(new ReceivedCall(received, caller));
}

/**
 * The address comes before the rate: whoever has the key elsewhere cannot use up what its owner may send.
 * @throws HeadwaterError when the caller comes from elsewhere, its second is used up, or it lacks a scope of the route.
 */
function admitCaller({ route, context, parts, request }: Received, caller: Caller): void {
  context.identified(caller, route);
  if (caller.allowIps !== undefined && !parts.isAllowedFrom(caller, parts.peers.clientAddress(request.raw))) {
    throw refusal("IP_NOT_ALLOWED", "This API key is not allowed from this IP address.");
  }
  const rate = parts.rates.take(route.rateClass ?? parts.defaultRateClass, caller);
  context.limited(rate);
  if (!rate.isAllowed) throw tooMany(rate.limit, rate.retryAfterSeconds);
  const missing = missingRight(caller, rightsOf(route, request.query));
  if (missing !== undefined) throw rightMissing(caller, missing);
}

function rightsOf(route: Route, query: unknown): Route {
  const scope = route.dryRun?.scope;
  return scope !== undefined && isDryRun(query) ? { ...route, scope } : route;
}

class ReceivedCall implements Call {
  readonly requestId: string;
  readonly method: string;
  readonly receivedAtMs: number;
  readonly caller: Caller | undefined;
  readonly bytes: Buffer;
  readonly mediaType: string;
  readonly #received: Received;
  readonly traceparent: string | undefined;
  readonly #request: FastifyRequest;
  readonly #response: ServerResponse<IncomingMessage>;
  #signal: AbortSignal | undefined;

  constructor(received: Received, caller: Caller | undefined) {
    const { context, request, reply, bytes, mediaType } = received;
    this.#received = received;
    this.requestId = context.requestId;
    this.method = request.method;
    this.receivedAtMs = context.receivedAtMs;
    this.caller = caller;
    this.bytes = bytes;
    this.mediaType = mediaType;
    this.traceparent = context.traceparent;
    this.#request = request;
    this.#response = reply.raw;
  }

  get params(): unknown {
    return this.#request.params;
  }

  get query(): unknown {
    return this.#request.query;
  }

  get clientAddress(): string | undefined {
    return this.#received.parts.peers.clientAddress(this.#request.raw);
  }

  get stream(): AsyncIterable<Buffer> {
    const { parts, route } = this.#received;
    return streamBody(this.#request.raw, { watch: parts.watch, bytesMax: route.stream?.bytesMax ?? 0 });
  }

  header(name: string): string | undefined {
    const value = this.#request.headers[name];
    return typeof value === "string" ? value : value?.join(", ");
  }

  admit(caller: Caller | undefined): Caller {
    if (caller === undefined) throw refusal("AUTHENTICATION_FAILED", NOT_AUTHENTICATED);
    admitCaller(this.#received, caller);
    return caller;
  }

  get signal(): AbortSignal {
    if (this.#signal === undefined) {
      const controller = new AbortController();
      const response = this.#response;
      if (response.destroyed) controller.abort();
      else response.once("close", () => response.writableFinished || controller.abort());
      this.#signal = controller.signal;
    }
    return this.#signal;
  }
}

export function httpsRequired() {
  return refusal("HTTPS_REQUIRED", "Use HTTPS.");
}

function tooBusy() {
  return refusal("SERVICE_UNAVAILABLE", "Too many requests are in progress. Retry later.");
}

function tooMany(limit: number, retryAfterSeconds: number) {
  return refusal("RATE_LIMITED", `This API key is limited to ${limit} such requests per second.`, {
    retryAfterSeconds,
  });
}

function rightMissing({ kind, role }: Caller, right: string) {
  const message =
    kind === "key"
      ? `The API key lacks the scope \`${right}\`.`
      : `The role \`${role ?? ""}\` lacks the right \`${right}\`.`;
  return refusal("INSUFFICIENT_SCOPE", message);
}
