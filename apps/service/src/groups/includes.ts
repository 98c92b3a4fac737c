import type { Route } from "@headwater/http";
import type { RoutePorts } from "../ports.ts";
import { createInclude } from "../routes/createInclude/index.ts";
import { deleteInclude } from "../routes/deleteInclude/index.ts";
import { getInclude } from "../routes/getInclude/index.ts";
import { listIncludes } from "../routes/listIncludes/index.ts";
import { updateInclude } from "../routes/updateInclude/index.ts";

export function includeRoutes(ports: RoutePorts): Route[] {
  return [listIncludes(ports), createInclude(ports), getInclude(ports), updateInclude(ports), deleteInclude(ports)];
}
