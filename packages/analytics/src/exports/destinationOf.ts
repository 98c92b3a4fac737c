import { jobStorage } from "@headwater/contracts";
import type { Destination } from "@headwater/jobs/destinations/destination";
import { createKeptDestination } from "@headwater/jobs/destinations/keptDestination";
import type { JobPorts } from "@headwater/jobs/runner/jobKind";
import { openDestination } from "@headwater/jobs/storage/openDestination";
import type { Exporting } from "./exporting.ts";

/** Type of a destination in the store of files of this installation. */
const KEPT = "kept";

/** The place that the job's files go to. @throws HeadwaterError as `openDestination`. */
export function destinationOf(work: Exporting, ports: JobPorts): Destination {
  const { account, jobId, jobName, options } = work;
  if (options.destination.type === KEPT) {
    return createKeptDestination({ files: ports.files, accountId: account.id, jobId });
  }
  const storage = jobStorage.parse(options.destination);
  return openDestination(work, { storage, name: options.name ?? jobName }, ports);
}
