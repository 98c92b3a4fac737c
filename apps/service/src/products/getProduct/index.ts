import { defineRoute, type Route } from "@headwater/http";
import { waitForAfter } from "../../consistency/after.ts";
import type { AfterPorts, ServicePorts } from "../../ports.ts";
import { productAnswer, productExample, productParams } from "../productShape.ts";
import { readOneProduct } from "./handler.ts";
import { query } from "./schema.ts";

export function getProduct(ports: AfterPorts & Pick<ServicePorts, "postgres">): Route {
  return defineRoute({
    method: "GET",
    path: "/v2/products/{productID}",
    operationId: "getProduct",
    summary: "Returns a product by its id.",
    tags: ["products"],
    answers: { 200: { description: "The product.", schema: productAnswer, example: productExample } },
    auth: "basic",
    scope: "products:read",
    rateClass: "read",
    params: productParams,
    query,
    handler: async ({ params: { productID }, query: { after }, caller, signal }) => {
      await waitForAfter({ token: after, caller, store: "products", signal }, ports);
      return readOneProduct(productID, caller.account, ports);
    },
  });
}
