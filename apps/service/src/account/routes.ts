import type { Route } from "@headwater/http";
import type { AfterPorts, ServicePorts } from "../ports.ts";
import { getAccount } from "./getAccount/index.ts";
import { updateAccount } from "./updateAccount/index.ts";

export function accountRoutes(ports: AfterPorts & Pick<ServicePorts, "postgres" | "renders" | "sealer">): Route[] {
  return [getAccount(ports), updateAccount(ports)];
}
