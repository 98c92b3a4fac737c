import type { Route } from "@headwater/http";
import type { AfterPorts, ServicePorts } from "../ports.ts";
import { getAccount } from "./routes/getAccount.ts";
import { updateAccount } from "./routes/updateAccount.ts";

export function accountRoutes(ports: AfterPorts & Pick<ServicePorts, "postgres" | "renders" | "sealer">): Route[] {
  return [getAccount(ports), updateAccount(ports)];
}
