import { jobStorage } from "@headwater/contracts";
import type { Destination } from "@headwater/jobs/destinations/destination";
import { createStoredDestination } from "@headwater/jobs/destinations/keptDestination";
import type { JobPorts } from "@headwater/jobs/runner/jobKind";
import { openDestination } from "@headwater/jobs/storage/openDestination";
import type { Exporting } from "./exporting.ts";

/** Type of a destination in the store of files of this installation. */
const STORED = "kept";

/** The destination that the job's files go to. @throws HeadwaterError as `openDestination`. */
export function destinationOf(work: Exporting, ports: JobPorts): Destination {
  const { account, jobId, jobName, options } = work;
  if (options.destination.type === STORED) {
    return createStoredDestination({ files: ports.files, accountId: account.id, jobId });
  }
  const storage = jobStorage.parse(options.destination);
  return openDestination(work, { storage, name: options.name ?? jobName }, ports);
}
