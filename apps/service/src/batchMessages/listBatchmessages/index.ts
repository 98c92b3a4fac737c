import { defineRoute, type Route } from "@headwater/http";
import { waitForAfter } from "../../consistency/after.ts";
import type { AfterPorts, ServicePorts } from "../../ports.ts";
import { listMessagesOf } from "./handler.ts";
import { messagesAnswer, messagesExample, query } from "./schema.ts";

export function listBatchmessages(ports: AfterPorts & Pick<ServicePorts, "clock" | "cursors" | "postgres">): Route {
  return defineRoute({
    method: "GET",
    path: "/v2/batchmessages",
    operationId: "listBatchmessages",
    summary: "Lists batch messages, and days and hours of templates that were sent, in order of creation.",
    description:
      "A page holds at most 16 MiB of contents; a larger page ends early and continues at `next_cursor`. Without contents (`fields=id,name,status`) pages are always full.",
    tags: ["batchmessages"],
    answers: { 200: { description: "A page of messages.", schema: messagesAnswer, example: messagesExample } },
    auth: "basic",
    scope: "batchmessages:read",
    rateClass: "read",
    query,
    handler: async ({ query: given, caller, signal }) => {
      await waitForAfter({ token: given.after, caller, store: "state", signal }, ports);
      return listMessagesOf(given, caller.account, ports);
    },
  });
}
