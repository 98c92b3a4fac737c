import type { Route } from "@headwater/http";
import type { RoutePorts } from "../ports.ts";
import { getOrder } from "../routes/getOrder/index.ts";
import { listOrders } from "../routes/listOrders/index.ts";

export function orderRoutes(ports: RoutePorts): Route[] {
  return [listOrders(ports), getOrder(ports)];
}
