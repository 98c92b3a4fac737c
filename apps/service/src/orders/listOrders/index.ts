import { defineRoute, type Route } from "@headwater/http";
import { waitForAfter } from "../../consistency/after.ts";
import { PAGE_BYTES_NOTE } from "../../paging/pageBytes.ts";
import type { AfterPorts, ServicePorts } from "../../ports.ts";
import { listOrdersOf } from "./handler.ts";
import { ordersAnswer, ordersExample, query } from "./schema.ts";

export function listOrders(ports: AfterPorts & Pick<ServicePorts, "cursors" | "postgres">): Route {
  return defineRoute({
    method: "GET",
    path: "/v2/orders",
    operationId: "listOrders",
    summary: "Lists orders, filtered by contact and time of purchase.",
    description: PAGE_BYTES_NOTE,
    tags: ["orders"],
    answers: { 200: { description: "A page of orders.", schema: ordersAnswer, example: ordersExample } },
    auth: "basic",
    scope: "orders:read",
    rateClass: "read",
    query,
    handler: async ({ query: given, caller, signal }) => {
      await waitForAfter({ token: given.after, caller, store: "state", signal }, ports);
      return listOrdersOf(given, caller.account, ports);
    },
  });
}
