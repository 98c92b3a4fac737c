import { defineRoute, type Route } from "@headwater/http";
import { waitForAfter } from "../../consistency/after.ts";
import type { AfterPorts, ServicePorts } from "../../ports.ts";
import { listIncludesOf } from "./handler.ts";
import { includesAnswer, includesExample, query } from "./schema.ts";

export function listIncludes(ports: AfterPorts & Pick<ServicePorts, "cursors" | "postgres">): Route {
  return defineRoute({
    method: "GET",
    path: "/v2/includes",
    operationId: "listIncludes",
    summary: "Lists includes in order of creation.",
    description:
      "A page holds at most 16 MiB of content; a larger page ends early and continues at `next_cursor`. Without content (`fields=key,name`) pages are always full.",
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
