import type { Route } from "@headwater/http";
import type { ServicePorts } from "../../ports.ts";
import { defineWriteRoute } from "../../writing/writeRoute.ts";
import { exactMembers } from "../productShape.ts";
import { upsertProducts } from "./handler.ts";
import { body, upsertedAnswer, upsertedExample, upsertRequest } from "./schema.ts";

export function createProducts(ports: ServicePorts): Route {
  return defineWriteRoute({
    method: "POST",
    path: "/v2/products",
    operationId: "createProducts",
    summary: "Adds products or changes them: one, or an array of up to 500, all or nothing.",
    description:
      "Members that are absent stay, null removes. What is declared here stands above what orders and carts say of the product, whatever their times.",
    tags: ["products"],
    answers: {
      200: {
        description: "All were there already.",
        schema: upsertedAnswer,
        example: { success: true, productID: "1" },
      },
      201: { description: "At least one was made.", schema: upsertedAnswer, example: upsertedExample },
    },
    scope: "products:write",
    body,
    exactMembers,
    requestExample: upsertRequest,
    handler: ({ body: products, once }) => upsertProducts(once, products, ports),
  });
}
