import type { Route } from "@headwater/http";
import type { AfterPorts, ServicePorts } from "../ports.ts";
import { discardDeadletters } from "./discardDeadletters/index.ts";
import { listDeadletters } from "./listDeadletters/index.ts";
import { redriveDeadletters } from "./redriveDeadletters/index.ts";
import { getDeadletter } from "./routes/getDeadletter.ts";

export function deadletterRoutes(ports: AfterPorts & Pick<ServicePorts, "cursors" | "postgres">): Route[] {
  return [listDeadletters(ports), getDeadletter(ports), redriveDeadletters(ports), discardDeadletters(ports)];
}
