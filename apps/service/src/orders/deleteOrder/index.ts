import type { Route } from "@headwater/http";
import { successExample, successShape } from "../../answers/success.ts";
import type { WritePorts } from "../../ports.ts";
import { defineWriteRoute } from "../../writing/writeRoute.ts";
import { dropOrder } from "./handler.ts";
import { params } from "./schema.ts";

export function deleteOrder(ports: WritePorts): Route {
  return defineWriteRoute({
    method: "DELETE",
    path: "/v2/orders/{id}",
    operationId: "deleteOrder",
    summary: "Deletes an order. Late or replayed records never resurrect it; a newer record or POST creates it again.",
    tags: ["orders"],
    answers: {
      200: { description: "The order is deleted.", schema: successShape, example: successExample },
      404: { description: "RECORD_NOT_FOUND: no order has this id." },
    },
    scope: "orders:write",
    params,
    ifMatch: true,
    handler: ({ params: { id }, once, header }) => dropOrder(once, { id, ifMatch: header("if-match") }, ports),
  });
}
