import type { Route } from "@headwater/http";
import type { ServicePorts, WritePorts } from "../../ports.ts";
import { defineWriteRoute } from "../../writing/writeRoute.ts";
import { clearList } from "./handler.ts";
import { clearAnswer, clearExample, params } from "./schema.ts";

export function clearAccountlist(ports: WritePorts & Pick<ServicePorts, "queue">): Route {
  return defineWriteRoute({
    method: "PUT",
    path: "/v2/accountlists/{id}/clear",
    operationId: "clearAccountlist",
    summary: "Removes all contacts from a list. The contacts are kept.",
    description: "The list is empty when the response arrives. The job removes the stored memberships.",
    tags: ["accountlists"],
    answers: {
      200: { description: "The list is empty.", schema: clearAnswer, example: clearExample },
      404: { description: "ACCOUNT_LISTS_NOT_FOUND: no list has this id." },
    },
    scope: "accountlists:write",
    target: "id",
    params,
    handler: ({ params: { id }, once }) => clearList(id, once, ports),
  });
}
