import type { Route } from "@headwater/http";
import type { ServicePorts } from "../ports.ts";
import { createActivityexport } from "./createActivityexport/index.ts";
import { createAudiencetrendsexport } from "./createAudiencetrendsexport/index.ts";
import { createContactexport } from "./createContactexport/index.ts";
import { createLogexport } from "./createLogexport/index.ts";
import { createMessageexport } from "./createMessageexport/index.ts";
import { createOrdersexport } from "./createOrdersexport/index.ts";
import type { ExportPorts } from "./startExport.ts";

export function exportRoutes(ports: ExportPorts & Pick<ServicePorts, "clickHouse">): Route[] {
  return [
    createContactexport(ports),
    createActivityexport(ports),
    createAudiencetrendsexport(ports),
    createLogexport(ports),
    createMessageexport(ports),
    createOrdersexport(ports),
  ];
}
