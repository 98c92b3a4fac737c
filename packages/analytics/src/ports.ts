import type { RoutePorts as AudiencePorts } from "@headwater/audiences/ports";
import type { JobCancels } from "./jobs/jobCancels.ts";

/** Ports of the routes of analytics. */
export interface RoutePorts extends AudiencePorts {
  readonly jobCancels: JobCancels;
}
