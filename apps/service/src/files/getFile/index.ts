import { definePublicRoute, type Route } from "@headwater/http";
import type { ServicePorts } from "../../ports.ts";
import { readFile } from "./handler.ts";
import { params, query } from "./schema.ts";

/** Of the type that the job wrote. */
const bytes = { mediaType: "*/*", schema: { type: "string", format: "binary" } };

export function getFile(ports: ServicePorts): Route {
  return definePublicRoute({
    method: "GET",
    path: "/v2/files/{id}",
    operationId: "getFile",
    summary: "A file that a job wrote, by the link its job shows; kept 30 days.",
    description:
      "The link is signed and valid for 24 hours; no key is needed. `Range` with one range of bytes is answered 206.",
    tags: ["files"],
    answers: {
      200: { description: "The whole file.", ...bytes },
      206: { description: "The range that was asked for.", ...bytes },
      401: { description: "AUTHENTICATION_FAILED: the link is not valid, or not any more." },
      404: { description: "RECORD_NOT_FOUND: there is no such file any more." },
      416: { description: "RANGE_NOT_SATISFIABLE: the range begins behind the end." },
    },
    params,
    query,
    handler: ({ params: { id }, query: { expires, signature }, header }) =>
      readFile({ id, expires, signature }, header("range"), ports),
  });
}
