import type { Route } from "@headwater/http";
import { successExample, successShape } from "../../answers/success.ts";
import type { ServicePorts } from "../../ports.ts";
import { defineWriteRoute } from "../../writing/writeRoute.ts";
import { dropOrder } from "./handler.ts";
import { params } from "./schema.ts";

export function deleteOrder(ports: ServicePorts): Route {
  return defineWriteRoute({
    method: "DELETE",
    path: "/v2/orders/{id}",
    operationId: "deleteOrder",
    summary: "Deletes an order. What was written before never brings it back; a later record or POST makes it anew.",
    tags: ["orders"],
    answers: {
      200: { description: "It is gone.", schema: successShape, example: successExample },
      404: { description: "RECORD_NOT_FOUND: there is no order with this id." },
    },
    scope: "orders:write",
    params,
    ifMatch: true,
    handler: ({ params: { id }, once, header }) => dropOrder(once, { id, ifMatch: header("if-match") }, ports),
  });
}
