import type { AfterPorts } from "@headwater/api/ports";
import type { Route } from "@headwater/http";
import type { RoutePorts } from "../ports.ts";
import { listContactactivities } from "./listContactactivities/listContactactivities.ts";
import { createContactactivity } from "./routes/createContactactivity.ts";

export function contactactivityRoutes(
  ports: AfterPorts & Pick<RoutePorts, "clickHouse" | "cursors" | "freshness" | "logger" | "postgres" | "producer">,
): Route[] {
  return [listContactactivities(ports), createContactactivity(ports)];
}
