import { definePublicRoute, type Route } from "@headwater/http";
import type { ServicePorts, WritePorts } from "../../ports.ts";
import { readFile } from "./handler.ts";
import { params, query } from "./schema.ts";

/** Bytes of the media type that the job wrote. */
const bytes = { mediaType: "*/*", schema: { type: "string", format: "binary" } };

export function getFile(ports: WritePorts & Pick<ServicePorts, "files">): Route {
  return definePublicRoute({
    method: "GET",
    path: "/v2/files/{id}",
    operationId: "getFile",
    summary: "Downloads a file that a job wrote, by the link in the job. Files are kept for 30 days.",
    description:
      "The link is signed and valid for 24 hours and needs no key; without a signature a key of the account with `files:read` is needed. A `Range` header with one byte range gets a 206.",
    tags: ["files"],
    answers: {
      200: { description: "The whole file.", ...bytes },
      206: { description: "The requested range.", ...bytes },
      401: {
        description:
          "AUTHENTICATION_FAILED: the link is invalid or has expired, or there is neither signature nor key.",
      },
      403: { description: "INSUFFICIENT_SCOPE: the key may not read files." },
      404: { description: "RECORD_NOT_FOUND: the file does not exist or has been deleted." },
      416: { description: "RANGE_NOT_SATISFIABLE: the range starts past the end of the file." },
    },
    params,
    query,
    optionalAuth: "basic",
    handler: ({ params: { id }, query: { expires, signature }, header, sender: caller }) =>
      readFile({ id, expires, signature, caller }, header("range"), ports),
  });
}
