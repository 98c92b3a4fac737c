import type { AfterPorts } from "@headwater/api/ports";
import type { Route } from "@headwater/http";
import type { RoutePorts } from "../ports.ts";
import { cancelJob } from "./routes/cancelJob.ts";
import { getJob } from "./routes/getJob.ts";
import { listJobrejections } from "./routes/listJobrejections.ts";
import { listJobs } from "./routes/listJobs.ts";

export function jobRoutes(ports: AfterPorts & Pick<RoutePorts, "cursors" | "postgres" | "jobCancels">): Route[] {
  return [listJobs(ports), getJob(ports), listJobrejections(ports), cancelJob(ports)];
}
