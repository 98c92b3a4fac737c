import { defineRoute, type Route } from "@headwater/http";
import { waitForAfter } from "../../consistency/after.ts";
import type { AfterPorts, ServicePorts } from "../../ports.ts";
import { sendsAnswer } from "../../sends/sendView.ts";
import { messageParams } from "../messageView.ts";
import { listSendsOf } from "./handler.ts";
import { query, sendsExample } from "./schema.ts";

export function listBatchmessagesends(ports: AfterPorts & Pick<ServicePorts, "cursors" | "postgres">): Route {
  return defineRoute({
    method: "GET",
    path: "/v2/batchmessages/{id}/sends",
    operationId: "listBatchmessagesends",
    summary: "Lists who got a batch message, who did not, and why.",
    description:
      "A contact has a row once its turn has come; those that are still to come are counted as `pending` in the message's `delivery`.",
    tags: ["batchmessages"],
    answers: {
      200: { description: "A page of sends, by contact.", schema: sendsAnswer, example: sendsExample },
      404: { description: "RECORD_NOT_FOUND: no batch message has this id." },
    },
    auth: "basic",
    scope: "batchmessages:read",
    rateClass: "read",
    params: messageParams,
    query,
    handler: async ({ params: { id }, query: given, caller, signal }) => {
      await waitForAfter({ token: given.after, caller, store: "state", signal }, ports);
      return listSendsOf({ id, query: given }, caller.account, ports);
    },
  });
}
