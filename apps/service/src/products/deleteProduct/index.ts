import type { Route } from "@headwater/http";
import { successExample, successShape } from "../../answers/success.ts";
import type { ServicePorts } from "../../ports.ts";
import { defineWriteRoute } from "../../writing/writeRoute.ts";
import { productParams } from "../productShape.ts";
import { dropProduct } from "./handler.ts";

export function deleteProduct(ports: Pick<ServicePorts, "clock" | "postgres">): Route {
  return defineWriteRoute({
    method: "DELETE",
    path: "/v2/products/{productID}",
    operationId: "deleteProduct",
    summary: "Deletes a product. Orders keep their items; an order written later creates it again.",
    tags: ["products"],
    answers: {
      200: { description: "The product is deleted.", schema: successShape, example: successExample },
      404: { description: "RECORD_NOT_FOUND: no product has this id." },
    },
    scope: "products:write",
    target: "productID",
    params: productParams,
    ifMatch: true,
    handler: ({ params: { productID: productId }, once, header }) =>
      dropProduct(once, { productId, ifMatch: header("if-match") }, ports),
  });
}
