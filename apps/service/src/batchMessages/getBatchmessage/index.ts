import { defineRoute, type Route } from "@headwater/http";
import { waitForAfter } from "../../consistency/after.ts";
import type { AfterPorts } from "../../ports.ts";
import { batchMessageShape, messageExample, messageParams } from "../messageView.ts";
import { readOneMessage, type StatsPorts } from "./handler.ts";
import { query } from "./schema.ts";

export function getBatchmessage(ports: AfterPorts & StatsPorts): Route {
  return defineRoute({
    method: "GET",
    path: "/v2/batchmessages/{id}",
    operationId: "getBatchmessage",
    summary: "Returns a batch message, or a day or an hour of a template.",
    tags: ["batchmessages"],
    answers: {
      200: { description: "The message.", schema: batchMessageShape.partial(), example: messageExample },
      404: { description: "RECORD_NOT_FOUND: no batch message has this id." },
    },
    auth: "basic",
    scope: "batchmessages:read",
    rateClass: "read",
    params: messageParams,
    query,
    handler: async ({ params: { id }, query: { after, fields }, caller, signal }) => {
      await waitForAfter({ token: after, caller, store: "state", signal }, ports);
      return readOneMessage({ id, fields, signal }, caller.account, ports);
    },
  });
}
