import { exactProductMembers } from "@headwater/contracts";
import type { Route } from "@headwater/http";
import type { ServicePorts } from "../../ports.ts";
import { defineWriteRoute } from "../../writing/writeRoute.ts";
import { addProducts } from "./handler.ts";
import { body, upsertedAnswer, upsertedExample, upsertRequest } from "./schema.ts";

export function createProducts(ports: Pick<ServicePorts, "clock" | "postgres">): Route {
  return defineWriteRoute({
    method: "POST",
    path: "/v2/products",
    operationId: "createProducts",
    summary: "Creates or updates one product or an array of up to 500, all or nothing.",
    description:
      "Absent members stay unchanged, null removes a member. Values written here take precedence over those from orders and carts, regardless of their times.",
    tags: ["products"],
    answers: {
      200: {
        description: "All products existed and were updated.",
        schema: upsertedAnswer,
        example: { success: true, productID: "1" },
      },
      201: { description: "At least one product was created.", schema: upsertedAnswer, example: upsertedExample },
    },
    scope: "products:write",
    target: "productID",
    body,
    exactMembers: exactProductMembers,
    requestExample: upsertRequest,
    handler: ({ body: products, once }) => addProducts(once, products, ports),
  });
}
