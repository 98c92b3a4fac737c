import type { AfterPorts } from "@headwater/api/ports";
import type { Route } from "@headwater/http";
import type { RoutePorts } from "../ports.ts";
import { createOrder } from "./routes/createOrder.ts";
import { deleteOrder } from "./routes/deleteOrder.ts";
import { getOrder } from "./routes/getOrder.ts";
import { listOrders } from "./routes/listOrders.ts";
import { updateOrder } from "./routes/updateOrder.ts";

export function orderRoutes(ports: AfterPorts & Pick<RoutePorts, "cursors" | "postgres">): Route[] {
  return [listOrders(ports), createOrder(ports), getOrder(ports), updateOrder(ports), deleteOrder(ports)];
}
