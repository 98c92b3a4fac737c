import type { JobStorage } from "@headwater/contracts";
import { createDestination, outsidePortsOf } from "../destinations/createDestination.ts";
import type { Destination } from "../destinations/destination.ts";
import type { JobPorts } from "../runner/jobKind.ts";
import { openStorage, type SecretWork } from "./openStorage.ts";

/** A job that writes to a storage outside. */
export interface OutwardWork extends SecretWork {
  readonly jobId: string;
  readonly createdAt: number;
}

/**
 * Opens the destination of a job with its secrets, those of the request or the saved ones as they are now.
 * @param storage what the job keeps of its request. @param name takes the place of `{name}` in the path.
 * @throws HeadwaterError `STORAGE_CONNECTION_ERROR` when the saved storage is no longer complete, `CONFIG_INVALID` without the key.
 */
export function openDestination(
  work: OutwardWork,
  { storage, name }: { readonly storage: JobStorage; readonly name: string },
  { sealer, ...ports }: Pick<JobPorts, "postgres" | "outbound" | "sealer" | "storages">,
): Destination {
  const { jobId, account, createdAt } = work;
  const opened = openStorage(work, storage, sealer);
  return createDestination(opened, {
    ...outsidePortsOf(account.number, ports),
    facts: { jobId, name, createdAt },
  });
}
