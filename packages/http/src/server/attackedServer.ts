import { type Account, defaultSettings } from "@headwater/contracts";
import { createLogger, createMetrics, hashApiKey, runAtOnce } from "@headwater/kernel";
import { parseJsonBody } from "../body/jsonBody.ts";
import type { Caller } from "../guards/caller.ts";
import { createKeyCache } from "../guards/keyCache.ts";
import { defineOwnAuthRoute, defineRawRoute } from "../routes/defineRoute.ts";
import { createHttpServer, type HttpServer, type HttpServerOptions } from "./httpServer.ts";

const account: Account = { number: 1, id: "a".repeat(24), name: "test", settings: defaultSettings };
const caller: Caller = { kind: "key", id: "k", name: "k", account, scopes: ["intake"] };
const BODY_BYTES_MAX = 10 * 1024 * 1024;

/** A server whose routes find their callers in each way there is, for tests of strangers. Its only key is `good`. */
export function createAttackedServer(options: Partial<HttpServerOptions> = {}): HttpServer {
  const logger = createLogger({ name: "test", level: "silent" });
  const keys = createKeyCache({ logger, find: async (hash) => (hash === hashApiKey("good") ? caller : undefined) });
  const server = createHttpServer({
    logger,
    metrics: createMetrics({ processMetrics: false }),
    plainHttp: "loopback",
    keys,
    rateClasses: { free: { perSecond: () => 1_000_000, usual: 50 } },
    defaultRateClass: "free",
    document: { title: "test", version: "1.0" },
    ...options,
  });
  addRoutes(server);
  return server;
}

const bodyRules = { bytesMax: BODY_BYTES_MAX, mediaTypes: ["application/json"], parseErrorStatus: 422 };
const common = { method: "POST", summary: "s", answers: {}, rateClass: "free", bodyRules } as const;
const path = ["account", "key"];

/** One for each way in which a caller is found. */
function addRoutes(server: HttpServer): void {
  server.add(
    defineRawRoute({
      ...common,
      path: "/api/header",
      operationId: "header",
      auth: "apiKey",
      bodySchema: {},
      handler: ({ bytes }) => ({ status: 200, body: { bytes: bytes.length } }),
    }),
    defineOwnAuthRoute({
      ...common,
      path: "/api/body",
      operationId: "body",
      bodySchema: {},
      caller: { kind: "body", path },
      async handler(call) {
        runAtOnce(parseJsonBody(call.bytes, 400));
        const isGood = call.bytes.includes('"key":"good"');
        call.admit(isGood ? caller : undefined);
        return { status: 200, body: { bytes: call.bytes.length } };
      },
    }),
    defineOwnAuthRoute({
      ...common,
      path: "/api/signed",
      operationId: "signed",
      bodySchema: {},
      caller: { kind: "signature", header: "x-sign" },
      handler(call) {
        call.admit(call.header("x-sign") === "good" ? caller : undefined);
        return { status: 200, body: { bytes: call.bytes.length } };
      },
    }),
    defineOwnAuthRoute({
      ...common,
      path: "/api/anybody",
      operationId: "anybody",
      bodySchema: {},
      handler: ({ bytes }) => ({ status: 200, body: { bytes: bytes.length } }),
    }),
  );
}

/** Runs as a process of its own, for tests that watch its memory: reports its port, and then its greatest memory every 100 ms. */
if (import.meta.main) {
  const port = await createAttackedServer().start({ host: "127.0.0.1", port: 0 });
  let most = 0;
  setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss());
    process.stdout.write(`${JSON.stringify({ port, most })}\n`);
  }, 100);
}
