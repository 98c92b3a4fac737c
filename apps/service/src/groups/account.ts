import type { Route } from "@headwater/http";
import type { RoutePorts } from "../ports.ts";
import { getAccount } from "../routes/getAccount/index.ts";
import { updateAccount } from "../routes/updateAccount/index.ts";

export function accountRoutes(ports: RoutePorts): Route[] {
  return [getAccount(ports), updateAccount(ports)];
}
