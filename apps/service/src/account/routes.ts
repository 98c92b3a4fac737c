import type { Route } from "@headwater/http";
import type { RoutePorts } from "../ports.ts";
import { getAccount } from "./getAccount/index.ts";
import { updateAccount } from "./updateAccount/index.ts";

export function accountRoutes(ports: RoutePorts): Route[] {
  return [getAccount(ports), updateAccount(ports)];
}
