import type { Route } from "@headwater/http";
import type { RoutePorts } from "../ports.ts";
import { createOrder } from "../routes/createOrder/index.ts";
import { deleteOrder } from "../routes/deleteOrder/index.ts";
import { getOrder } from "../routes/getOrder/index.ts";
import { listOrders } from "../routes/listOrders/index.ts";
import { updateOrder } from "../routes/updateOrder/index.ts";

export function orderRoutes(ports: RoutePorts): Route[] {
  return [listOrders(ports), createOrder(ports), getOrder(ports), updateOrder(ports), deleteOrder(ports)];
}
