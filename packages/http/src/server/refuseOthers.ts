import { METHODS as NODE_METHODS } from "node:http";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { refusal } from "../answers/refusal.ts";
import type { Route } from "../routes/route.ts";
import { toFastifyPath } from "./fastifyPath.ts";
import { RequestContext } from "./requestContext.ts";
import { httpsRequired } from "./serve.ts";
import type { ServerParts } from "./serverParts.ts";

/** All that Node reads; CONNECT never reaches a route. */
export const METHODS: readonly string[] = NODE_METHODS.filter((method) => method !== "CONNECT");
/** Requests of no route share one label, so that scanners do not make a series each. */
const NO_ROUTE = "none";

type Handler = (request: FastifyRequest, reply: FastifyReply) => void;

/** 405 with `Allow` for every path of ours under the methods it does not have. */
export function refuseOtherMethods(app: FastifyInstance, parts: ServerParts, routes: readonly Route[]): void {
  for (const [path, ofPath] of Map.groupBy(routes, (route) => route.path)) {
    const allowed = new Set<string>(ofPath.map(({ method }) => method));
    if (allowed.has("GET")) allowed.add("HEAD");
    const others: string[] = METHODS.filter((method) => !allowed.has(method));
    const allow = [...allowed].join(", ");
    const error = refusal("METHOD_NOT_ALLOWED", `Use ${allow}.`, { extra: { headers: { Allow: allow } } });
    app.route({ method: others, url: toFastifyPath(path), handler: refuse(parts, path, () => error) });
  }
}

/** 404 for paths nobody serves. */
export function refuseUnknownRoutes(app: FastifyInstance, parts: ServerParts): void {
  const error = refusal("RECORD_NOT_FOUND", "The path does not exist. See /docs.");
  app.setNotFoundHandler(refuse(parts, NO_ROUTE, () => error));
  app.setErrorHandler((thrown, request, reply) => refuse(parts, NO_ROUTE, () => toOurs(thrown))(request, reply));
}

/** Keeps the status of what Fastify refuses by itself; everything else that is thrown is a defect of ours. */
function toOurs(thrown: unknown): unknown {
  if (!(thrown instanceof Error) || !("code" in thrown) || !("statusCode" in thrown)) return thrown;
  const { code, statusCode: status } = thrown;
  const isRefusal = typeof code === "string" && code.startsWith("FST_") && typeof status === "number";
  if (!isRefusal || status < FIRST_CLIENT_ERROR || status >= FIRST_SERVER_ERROR) return thrown;
  if (status === 404) return refusal("RECORD_NOT_FOUND", "The path does not exist. See /docs.");
  return refusal("BAD_REQUEST", "The request is malformed.", { status, cause: thrown });
}

const FIRST_CLIENT_ERROR = 400;
const FIRST_SERVER_ERROR = 500;

/** Answers what Fastify refuses before it knows a route: a path that cannot be decoded, a parameter that is too long. */
export function refuseFrameworkErrors(parts: ServerParts) {
  const error = refusal("BAD_REQUEST", "The path is malformed.");
  const handler = refuse(parts, NO_ROUTE, () => error);
  return (_thrown: unknown, request: FastifyRequest, reply: FastifyReply): void => handler(request, reply);
}

function refuse(parts: ServerParts, route: string, errorOf: () => unknown): Handler {
  const rate = parts.rates.full(parts.defaultRateClass);
  return (request, reply) => {
    reply.hijack();
    const context = new RequestContext(parts, request.raw, reply.raw, route, rate);
    context.fail(parts.peers.isSecure(request.raw) ? errorOf() : httpsRequired());
  };
}
