import type { Route } from "@headwater/http";
import type { RoutePorts } from "../ports.ts";
import { cancelJob } from "../routes/cancelJob/index.ts";
import { getJob } from "../routes/getJob/index.ts";
import { listJobrejections } from "../routes/listJobrejections/index.ts";
import { listJobs } from "../routes/listJobs/index.ts";

export function jobRoutes(ports: RoutePorts): Route[] {
  return [listJobs(ports), getJob(ports), listJobrejections(ports), cancelJob(ports)];
}
