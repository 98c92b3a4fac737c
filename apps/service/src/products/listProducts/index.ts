import { defineRoute, type Route } from "@headwater/http";
import { waitForAfter } from "../../consistency/after.ts";
import { PAGE_BYTES_NOTE } from "../../paging/pageBytes.ts";
import type { AfterPorts, ServicePorts } from "../../ports.ts";
import { listProductsOf } from "./handler.ts";
import { productsAnswer, productsExample, query } from "./schema.ts";

export function listProducts(ports: AfterPorts & Pick<ServicePorts, "cursors" | "postgres">): Route {
  return defineRoute({
    method: "GET",
    path: "/v2/products",
    operationId: "listProducts",
    summary: "Lists products in order of creation.",
    description: PAGE_BYTES_NOTE,
    tags: ["products"],
    answers: { 200: { description: "A page of products.", schema: productsAnswer, example: productsExample } },
    auth: "basic",
    scope: "products:read",
    rateClass: "read",
    query,
    handler: async ({ query: given, caller, signal }) => {
      await waitForAfter({ token: given.after, caller, store: "products", signal }, ports);
      return listProductsOf(given, caller.account, ports);
    },
  });
}
