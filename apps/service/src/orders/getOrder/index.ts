import { defineRoute, type Route } from "@headwater/http";
import { waitForState } from "../../consistency/after.ts";
import type { AfterPorts, ServicePorts } from "../../ports.ts";
import { orderAnswer, orderExample } from "../orderSchema.ts";
import { readOneOrder } from "./handler.ts";
import { params, query } from "./schema.ts";

export function getOrder(ports: AfterPorts & Pick<ServicePorts, "postgres">): Route {
  return defineRoute({
    method: "GET",
    path: "/v2/orders/{id}",
    operationId: "getOrder",
    summary: "Returns an order by its orderID.",
    tags: ["orders"],
    answers: { 200: { description: "The order.", schema: orderAnswer.partial(), example: orderExample } },
    auth: "basic",
    scope: "orders:read",
    rateClass: "read",
    params,
    query,
    handler: async (call) => {
      await waitForState(call, ports);
      const { params, query, caller } = call;
      return readOneOrder({ orderId: params.id, fields: query.fields }, caller.account, ports);
    },
  });
}
