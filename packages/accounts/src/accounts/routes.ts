import type { AfterPorts } from "@headwater/api/ports";
import type { Route } from "@headwater/http";
import type { RoutePorts } from "../ports.ts";
import { getAccount } from "./routes/getAccount.ts";
import { updateAccount } from "./routes/updateAccount.ts";

export function accountRoutes(ports: AfterPorts & Pick<RoutePorts, "postgres" | "sealer" | "accountHooks">): Route[] {
  return [getAccount(ports), updateAccount(ports)];
}
