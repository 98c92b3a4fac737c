import type { Route } from "@headwater/http";
import type { AfterPorts, ServicePorts } from "../ports.ts";
import { createInclude } from "./createInclude/index.ts";
import { deleteInclude } from "./deleteInclude/index.ts";
import { getInclude } from "./getInclude/index.ts";
import { listIncludes } from "./listIncludes/index.ts";
import { updateInclude } from "./updateInclude/index.ts";

export function includeRoutes(ports: AfterPorts & Pick<ServicePorts, "cursors" | "postgres" | "renders">): Route[] {
  return [listIncludes(ports), createInclude(ports), getInclude(ports), updateInclude(ports), deleteInclude(ports)];
}
