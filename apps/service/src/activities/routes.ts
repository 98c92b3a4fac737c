import type { Route } from "@headwater/http";
import type { RoutePorts } from "../ports.ts";
import { createContactactivity } from "./createContactactivity/index.ts";
import { listContactactivities } from "./listContactactivities/index.ts";

export function contactactivityRoutes(ports: RoutePorts): Route[] {
  return [listContactactivities(ports), createContactactivity(ports)];
}
