import type { Route } from "@headwater/http";
import { newListBody, savedExample, savedShape } from "../../lists/listShape.ts";
import { makeList } from "../../lists/saveList.ts";
import type { ServicePorts } from "../../ports.ts";
import { defineWriteRoute } from "../../writing/writeRoute.ts";

export function createAccountlist(ports: ServicePorts): Route {
  return defineWriteRoute({
    method: "POST",
    path: "/v2/accountlists",
    operationId: "createAccountlist",
    summary: "Makes a list.",
    tags: ["accountlists"],
    answers: {
      201: { description: "The list is made.", schema: savedShape, example: savedExample },
    },
    scope: "accountlists:write",
    body: newListBody,
    requestExample: { name: "spring-2026", enhanced: true },
    handler: ({ body, once }) => makeList(once, body, ports),
  });
}
