import { defineRoute, type Route } from "@headwater/http";
import type { ListPorts } from "../../batchMessages/listBatchmessages/handler.ts";
import { waitForAfter } from "../../consistency/after.ts";
import type { AfterPorts } from "../../ports.ts";
import { listTemplatesOf } from "./handler.ts";
import { query, templatesAnswer, templatesExample } from "./schema.ts";

export function listTemplates(ports: AfterPorts & ListPorts): Route {
  return defineRoute({
    method: "GET",
    path: "/v2/automationtemplates",
    operationId: "listTemplates",
    summary: "Lists templates in order of creation.",
    description:
      "A page holds at most 16 MiB of contents; a larger page ends early and continues at `next_cursor`. Without contents (`fields=key,name`) pages are always full. `stats` are left out while ClickHouse is away.",
    tags: ["automationtemplates"],
    answers: { 200: { description: "A page of templates.", schema: templatesAnswer, example: templatesExample } },
    auth: "basic",
    scope: "automationtemplates:read",
    rateClass: "read",
    query,
    handler: async ({ query: given, caller, signal }) => {
      await waitForAfter({ token: given.after, caller, store: "state", signal }, ports);
      return listTemplatesOf(given, { account: caller.account, signal }, ports);
    },
  });
}
