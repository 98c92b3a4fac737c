import type { Route } from "@headwater/http";
import type { AfterPorts, ServicePorts } from "../ports.ts";
import { createOrder } from "./createOrder/index.ts";
import { deleteOrder } from "./deleteOrder/index.ts";
import { getOrder } from "./getOrder/index.ts";
import { listOrders } from "./listOrders/index.ts";
import { updateOrder } from "./updateOrder/index.ts";

export function orderRoutes(ports: AfterPorts & Pick<ServicePorts, "cursors" | "postgres">): Route[] {
  return [listOrders(ports), createOrder(ports), getOrder(ports), updateOrder(ports), deleteOrder(ports)];
}
