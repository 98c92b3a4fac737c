import { type Account, defaultSettings } from "@headwater/contracts";
import { createLogger, createMetrics } from "@headwater/kernel";
import { z } from "zod";
import { refusal } from "../answers/refusal.ts";
import type { Caller } from "../guards/caller.ts";
import { createKeyCache } from "../guards/keyCache.ts";
import { definePublicRoute, defineRoute } from "../routes/defineRoute.ts";
import { createHttpServer, type HttpServer, type HttpServerOptions } from "./httpServer.ts";

const account: Account = { number: 1, id: "a".repeat(24), name: "test", settings: defaultSettings };
const logger = createLogger({ name: "test", level: "silent" });
/** Header of a key that may read, and write things. */
export const authorization = `Basic ${Buffer.from("good:").toString("base64")}`;
/** A server of a few routes, for tests. The caller stops it. */
export function createTestServer(options: Partial<HttpServerOptions> = {}): HttpServer {
  const find = async (): Promise<Caller> => ({
    kind: "key",
    id: "k",
    name: "k",
    account,
    scopes: ["read", "things:write"],
  });
  const server = createHttpServer({
    logger,
    metrics: createMetrics({ processMetrics: false }),
    plainHttp: "loopback",
    keys: createKeyCache({ logger, find }),
    rateClasses: { read: { perSecond: () => 3, usual: 50 }, free: { perSecond: () => 1_000_000, usual: 50 } },
    defaultRateClass: "read",
    document: { title: "test", version: "1.0" },
    ...options,
  });
  addThings(server);
  addOddities(server);
  return server;
}

const answers = { 200: { description: "ok", example: { a: 1 } } };
const common = { answers, auth: "basic", rateClass: "free", summary: "s" } as const;

/** Routes as the apps have them. */
function addThings(server: HttpServer): void {
  server.add(
    defineRoute({
      ...common,
      method: "GET",
      path: "/v2/things/{id}",
      operationId: "getThing",
      params: z.strictObject({ id: z.string() }),
      query: z.strictObject({ per_page: z.coerce.number().int().optional(), "time[gte]": z.string().optional() }),
      handler: ({ params, query, caller, requestId }) => ({
        status: 200,
        body: { ...params, ...query, account: caller.account.id, requestId },
        headers: { ETag: '"1"' },
      }),
    }),
    defineRoute({
      ...common,
      method: "POST",
      path: "/v2/things",
      operationId: "makeThing",
      scope: "things:write",
      body: z.strictObject({ name: z.string().max(5), tags: z.array(z.string()).optional() }),
      bodyBytesMax: 2_000,
      handler: ({ body }) => ({ status: 201, body }),
    }),
    defineRoute({
      ...common,
      method: "POST",
      path: "/v2/things/{id}/copy",
      operationId: "copyThing",
      body: z.strictObject({ name: z.string().optional() }),
      isBodyOptional: true,
      handler: ({ body }) => ({ status: 201, body }),
    }),
    defineRoute({
      ...common,
      method: "DELETE",
      path: "/v2/things/{id}",
      operationId: "dropThing",
      scope: "others:write",
      handler: () => ({ status: 204 }),
    }),
    defineRoute({
      ...common,
      rateClass: "read",
      method: "GET",
      path: "/v2/slow",
      operationId: "slow",
      handler: () => ({ status: 200, body: {} }),
    }),
  );
}

/** Routes whose handlers do what they should not. */
function addOddities(server: HttpServer): void {
  server.add(
    definePublicRoute({
      method: "GET",
      path: "/v2/broken",
      operationId: "broken",
      summary: "s",
      answers,
      handler: () => {
        throw new Error("the secret of the house");
      },
    }),
    definePublicRoute({
      method: "GET",
      path: "/v2/csv",
      operationId: "csv",
      summary: "s",
      answers,
      handler: () => ({ status: 200, text: "a,b", headers: { "content-type": "text/csv", "x-request-id": "own" } }),
    }),
    definePublicRoute({
      method: "GET",
      path: "/v2/unwritable",
      operationId: "unwritable",
      summary: "s",
      answers,
      query: z.strictObject({ isAsync: z.string().optional() }),
      handler: ({ query }) => {
        const answer = { status: 200, body: { count: 1n } };
        return query.isAsync === undefined ? answer : Promise.resolve(answer);
      },
    }),
    definePublicRoute({
      method: "GET",
      path: "/v2/busy",
      operationId: "busy",
      summary: "s",
      answers,
      handler: async () => {
        throw refusal("SERVICE_UNAVAILABLE", "Later.", { retryAfterSeconds: 2.2 });
      },
    }),
  );
}
