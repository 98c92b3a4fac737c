import type { Route } from "@headwater/http";
import type { ServicePorts } from "../../ports.ts";
import { defineWriteRoute } from "../../writing/writeRoute.ts";
import { clearList } from "./handler.ts";
import { clearAnswer, clearExample, params } from "./schema.ts";

export function clearAccountlist(ports: ServicePorts): Route {
  return defineWriteRoute({
    method: "PUT",
    path: "/v2/accountlists/{id}/clear",
    operationId: "clearAccountlist",
    summary: "Takes everybody off a list; the contacts stay.",
    description: "The list is empty with this answer. The job removes what is stored of the members it had.",
    tags: ["accountlists"],
    answers: {
      200: { description: "The list is empty.", schema: clearAnswer, example: clearExample },
      404: { description: "ACCOUNT_LISTS_NOT_FOUND: there is no list with this id." },
    },
    scope: "accountlists:write",
    params,
    handler: ({ params: { id }, once }) => clearList(id, once, ports),
  });
}
