import type { AfterPorts } from "@headwater/api/ports";
import type { Route } from "@headwater/http";
import type { RoutePorts } from "../ports.ts";
import { createContactactivity } from "./routes/createContactactivity.ts";
import { listContactactivities } from "./routes/listContactactivities.ts";
import { summarizeContactactivities } from "./routes/summarizeContactactivities.ts";

export function contactactivityRoutes(
  ports: AfterPorts & Pick<RoutePorts, "clickHouse" | "cursors" | "freshness" | "logger" | "postgres" | "producer">,
): Route[] {
  return [listContactactivities(ports), summarizeContactactivities(ports), createContactactivity(ports)];
}
