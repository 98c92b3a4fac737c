import type { AfterPorts } from "@headwater/api/ports";
import type { Route } from "@headwater/http";
import type { RoutePorts } from "../ports.ts";
import { discardDeadletters } from "./discardDeadletters/discardDeadletters.ts";
import { listDeadletters } from "./listDeadletters/listDeadletters.ts";
import { redriveDeadletters } from "./redriveDeadletters/redriveDeadletters.ts";
import { getDeadletter } from "./routes/getDeadletter.ts";

export function deadletterRoutes(ports: AfterPorts & Pick<RoutePorts, "cursors" | "postgres">): Route[] {
  return [listDeadletters(ports), getDeadletter(ports), redriveDeadletters(ports), discardDeadletters(ports)];
}
