import type { AfterPorts } from "@headwater/api/ports";
import type { Route } from "@headwater/http";
import type { RoutePorts } from "../ports.ts";
import { discardDeadletters } from "./routes/discardDeadletters.ts";
import { getDeadletter } from "./routes/getDeadletter.ts";
import { listDeadletters } from "./routes/listDeadletters.ts";
import { redriveDeadletters } from "./routes/redriveDeadletters.ts";

export function deadletterRoutes(ports: AfterPorts & Pick<RoutePorts, "cursors" | "postgres">): Route[] {
  return [listDeadletters(ports), getDeadletter(ports), redriveDeadletters(ports), discardDeadletters(ports)];
}
