import type { Route } from "@headwater/http";
import type { AfterPorts, ServicePorts } from "../ports.ts";
import { createOrder } from "./createOrder/index.ts";
import { deleteOrder } from "./routes/deleteOrder.ts";
import { getOrder } from "./routes/getOrder.ts";
import { listOrders } from "./routes/listOrders.ts";
import { updateOrder } from "./routes/updateOrder.ts";

export function orderRoutes(ports: AfterPorts & Pick<ServicePorts, "cursors" | "postgres">): Route[] {
  return [listOrders(ports), createOrder(ports), getOrder(ports), updateOrder(ports), deleteOrder(ports)];
}
