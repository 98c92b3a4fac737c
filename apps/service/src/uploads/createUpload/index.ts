import { defineStreamRoute, type Route } from "@headwater/http";
import type { ServicePorts } from "../../ports.ts";
import { readDigest } from "./digest.ts";
import { createReceiver, UPLOAD_BYTES_MAX } from "./handler.ts";
import { headers, query, uploadAnswer, uploadExample } from "./schema.ts";

const SUMMARY = "Uploads a file for an import.";

export function createUpload(ports: Pick<ServicePorts, "clock" | "files" | "postgres">): Route {
  const receive = createReceiver(ports);
  return defineStreamRoute({
    method: "POST",
    path: "/v2/uploads",
    operationId: "createUpload",
    summary: SUMMARY,
    description:
      'The body is the file\'s bytes, of any content type and up to 10 GiB, also in chunks. An import takes it as `source: {transport: "file", path: <url>}`. It is kept until 24 hours after its import, and for 7 days while no import takes it. A body that breaks off leaves nothing.',
    tags: ["uploads"],
    answers: {
      201: { description: "The file is stored.", schema: uploadAnswer, example: uploadExample },
      422: {
        description:
          "VALIDATION_ERROR: the bytes do not have the checksum of `Repr-Digest`, or it cannot be read. Nothing is kept.",
      },
    },
    auth: "basic",
    scope: "uploads:write",
    rateClass: "write",
    bytesMax: UPLOAD_BYTES_MAX,
    query,
    headers,
    handler: (call, { caller, query: { name } }) => {
      const { requestId, stream, receivedAtMs: at, clientAddress: ip } = call;
      const expected = readDigest(call.header("repr-digest"));
      const key = call.header("idempotency-key");
      const logged = {
        category: "API",
        action: "createUpload",
        message: SUMMARY,
        target: "id",
        params: {},
        ip,
        at,
      } as const;
      return receive({ name, expected, stream, once: { key, caller, route: "POST /v2/uploads", requestId, logged } });
    },
  });
}
