import type { Route } from "@headwater/http";
import type { AfterPorts, ServicePorts } from "../ports.ts";
import { cancelJob } from "./cancelJob/index.ts";
import { getJob } from "./getJob/index.ts";
import { listJobrejections } from "./listJobrejections/index.ts";
import { listJobs } from "./listJobs/index.ts";

export function jobRoutes(ports: AfterPorts & Pick<ServicePorts, "cursors" | "postgres">): Route[] {
  return [listJobs(ports), getJob(ports), listJobrejections(ports), cancelJob(ports)];
}
