import type { Route } from "@headwater/http";
import { successExample, successShape } from "../../answers/success.ts";
import type { ServicePorts } from "../../ports.ts";
import { defineWriteRoute } from "../../writing/writeRoute.ts";
import { productParams } from "../productShape.ts";
import { dropProduct } from "./handler.ts";

export function deleteProduct(ports: ServicePorts): Route {
  return defineWriteRoute({
    method: "DELETE",
    path: "/v2/products/{productID}",
    operationId: "deleteProduct",
    summary: "Deletes a product. Orders keep their items; one that is written later makes it anew.",
    tags: ["products"],
    answers: {
      200: { description: "It is gone.", schema: successShape, example: successExample },
      404: { description: "RECORD_NOT_FOUND: there is no product with this id." },
    },
    scope: "products:write",
    params: productParams,
    ifMatch: true,
    handler: ({ params: { productID: productId }, once, header }) =>
      dropProduct(once, { productId, ifMatch: header("if-match") }, ports),
  });
}
