import type { Route } from "@headwater/http";
import type { AfterPorts, RoutePorts } from "../ports.ts";
import { createContactactivity } from "./createContactactivity/index.ts";
import { listContactactivities } from "./listContactactivities/index.ts";

export function contactactivityRoutes(
  ports: AfterPorts & Pick<RoutePorts, "clickHouse" | "cursors" | "freshness" | "logger" | "postgres" | "producer">,
): Route[] {
  return [listContactactivities(ports), createContactactivity(ports)];
}
