import { exactProductMembers } from "@headwater/contracts";
import type { Route } from "@headwater/http";
import type { ServicePorts } from "../../ports.ts";
import { defineWriteRoute } from "../../writing/writeRoute.ts";
import { productParams } from "../productShape.ts";
import { changeProduct } from "./handler.ts";
import { body, requestExample, updatedAnswer } from "./schema.ts";

export function updateProduct(ports: Pick<ServicePorts, "clock" | "postgres">): Route {
  return defineWriteRoute({
    method: "PUT",
    path: "/v2/products/{productID}",
    operationId: "updateProduct",
    summary: "Updates a product. Absent members stay unchanged, null removes a member.",
    tags: ["products"],
    answers: {
      200: {
        description: "The updated product.",
        schema: updatedAnswer,
        example: { success: true, productID: "85123A" },
      },
      404: { description: "RECORD_NOT_FOUND: no product has this id." },
    },
    scope: "products:write",
    target: "productID",
    params: productParams,
    body,
    exactMembers: exactProductMembers,
    requestExample,
    ifMatch: true,
    returnsStored: true,
    handler: ({ params: { productID: id }, body: changes, once, header }) =>
      changeProduct(once, { id, changes, ifMatch: header("if-match") }, ports),
  });
}
