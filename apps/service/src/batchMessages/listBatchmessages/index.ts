import { defineRoute, type Route } from "@headwater/http";
import { waitForAfter } from "../../consistency/after.ts";
import type { AfterPorts } from "../../ports.ts";
import { type ListPorts, listMessagesOf } from "./handler.ts";
import { messagesAnswer, messagesExample, query } from "./schema.ts";

export function listBatchmessages(ports: AfterPorts & ListPorts): Route {
  return defineRoute({
    method: "GET",
    path: "/v2/batchmessages",
    operationId: "listBatchmessages",
    summary: "Lists batch messages, and days and hours of templates that were sent, in order of creation.",
    description:
      "A page holds at most 16 MiB of contents; a larger page ends early and continues at `next_cursor`. Without contents (`fields=id,name,status`) pages are always full. `delivery` is shown where `fields` names it; `stats` are left out of messages that have begun while ClickHouse is away.",
    tags: ["batchmessages"],
    answers: { 200: { description: "A page of messages.", schema: messagesAnswer, example: messagesExample } },
    auth: "basic",
    scope: "batchmessages:read",
    rateClass: "read",
    query,
    handler: async ({ query: given, caller, signal }) => {
      await waitForAfter({ token: given.after, caller, store: "state", signal }, ports);
      return listMessagesOf(given, { account: caller.account, signal }, ports);
    },
  });
}
