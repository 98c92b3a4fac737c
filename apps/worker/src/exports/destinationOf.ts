import { createKeptDestination, type Destination } from "@headwater/stores/destinations";
import type { JobPorts } from "../runner/jobKind.ts";
import type { Exporting } from "./exporting.ts";

/** The place that the job's files go to. */
export function destinationOf({ account, jobId }: Exporting, { files }: Pick<JobPorts, "files">): Destination {
  return createKeptDestination({ files, accountId: account.id, jobId });
}
