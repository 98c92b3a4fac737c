import type { Route } from "@headwater/http";
import type { RoutePorts } from "../ports.ts";
import { createActivityexport } from "./routes/createActivityexport.ts";
import { createAudiencetrendsexport } from "./routes/createAudiencetrendsexport.ts";
import { createContactexport } from "./routes/createContactexport.ts";
import { createLogexport } from "./routes/createLogexport.ts";
import { createMessageexport } from "./routes/createMessageexport.ts";
import { createOrdersexport } from "./routes/createOrdersexport.ts";
import type { ExportPorts } from "./startExport.ts";

export function exportRoutes(ports: ExportPorts & Pick<RoutePorts, "clickHouse">): Route[] {
  return [
    createContactexport(ports),
    createActivityexport(ports),
    createAudiencetrendsexport(ports),
    createLogexport(ports),
    createMessageexport(ports),
    createOrdersexport(ports),
  ];
}
