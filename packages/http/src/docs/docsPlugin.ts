import swagger from "@fastify/swagger";
import swaggerUi from "@fastify/swagger-ui";
import type { FastifyInstance } from "fastify";
import { rateHeaders } from "../guards/rateHeaders.ts";
import type { JsonSchema } from "../routes/route.ts";
import { RequestContext } from "../server/requestContext.ts";
import { httpsRequired } from "../server/serve.ts";
import type { ServerParts } from "../server/serverParts.ts";

/** The page needs a document of the library's own; ours takes its place when it is asked for. */
const EMPTY = { openapi: "3.1.0", info: { title: "", version: "" }, paths: {} };

/** The forms of the document. They are large: each is written once, and given to everybody as it is. */
const DOCUMENT_PATHS: ReadonlySet<string> = new Set(["/docs/json", "/docs/yaml"]);

/** Serves the document at `/docs/json` and a page that shows it at `/docs`. */
export function registerDocs(app: FastifyInstance, parts: ServerParts, document: JsonSchema): void {
  app.register((scope, _options, done) => {
    const written = new Map<string, Written>();
    scope.addHook("onSend", (request, reply, payload, next) => {
      const path = pathOf(request.url);
      if (reply.statusCode === 200 && typeof payload === "string" && DOCUMENT_PATHS.has(path)) {
        written.set(path, { text: payload, mediaType: String(reply.getHeader("content-type")) });
      }
      next();
    });
    scope.addHook("onRequest", (request, reply, next) => {
      const rate = parts.rates.full(parts.defaultRateClass);
      if (parts.peers.isSecure(request.raw)) {
        const headers = rateHeaders(rate, parts.clock.nowMs());
        for (let at = 0; at < headers.length; at += 2) reply.header(headers[at] ?? "", headers[at + 1]);
        const known = written.get(pathOf(request.url));
        if (known === undefined) next();
        else reply.header("content-type", known.mediaType).send(known.text);
        return;
      }
      reply.hijack();
      new RequestContext(parts, request.raw, reply.raw, "/docs", rate).fail(httpsRequired());
    });
    scope.register(swagger, { mode: "static", specification: { document: EMPTY } });
    scope.register(swaggerUi, {
      routePrefix: "/docs",
      uiConfig: { docExpansion: "list", deepLinking: true },
      transformSpecification: () => ({ ...document }),
    });
    done();
  });
}

interface Written {
  readonly text: string;
  readonly mediaType: string;
}

function pathOf(url: string): string {
  return url.split("?", 1)[0] ?? "";
}
