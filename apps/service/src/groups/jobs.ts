import type { Route } from "@headwater/http";
import type { RoutePorts } from "../ports.ts";
import { getJob } from "../routes/getJob/index.ts";

export function jobRoutes(ports: RoutePorts): Route[] {
  return [getJob(ports)];
}
