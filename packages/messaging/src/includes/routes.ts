import type { AfterPorts } from "@headwater/api/ports";
import type { Route } from "@headwater/http";
import type { RoutePorts } from "../ports.ts";
import { createInclude } from "./routes/createInclude.ts";
import { deleteInclude } from "./routes/deleteInclude.ts";
import { getInclude } from "./routes/getInclude.ts";
import { listIncludes } from "./routes/listIncludes.ts";
import { updateInclude } from "./updateInclude/updateInclude.ts";

export function includeRoutes(ports: AfterPorts & Pick<RoutePorts, "cursors" | "postgres" | "renders">): Route[] {
  return [listIncludes(ports), createInclude(ports), getInclude(ports), updateInclude(ports), deleteInclude(ports)];
}
