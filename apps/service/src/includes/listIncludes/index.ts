import { defineRoute, type Route } from "@headwater/http";
import { waitForAfter } from "../../consistency/after.ts";
import type { ServicePorts } from "../../ports.ts";
import { listIncludesOf } from "./handler.ts";
import { includesAnswer, includesExample, query } from "./schema.ts";

export function listIncludes(ports: ServicePorts): Route {
  return defineRoute({
    method: "GET",
    path: "/v2/includes",
    operationId: "listIncludes",
    summary: "Includes, in the order they were made.",
    description:
      "A page holds at most 16 MiB of content: it ends early when it would hold more, and `next_cursor` goes on. Without content (`fields=key,name`) it is always full.",
    tags: ["includes"],
    answers: { 200: { description: "A page of includes.", schema: includesAnswer, example: includesExample } },
    auth: "basic",
    scope: "includes:read",
    rateClass: "read",
    query,
    handler: async ({ query: given, caller, signal }) => {
      await waitForAfter({ token: given.after, caller, store: "state", signal }, ports);
      return listIncludesOf(given, caller.account, ports);
    },
  });
}
