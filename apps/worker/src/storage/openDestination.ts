import {
  type Account,
  completeStorage,
  type GivenSecrets,
  givenSecrets,
  type JobStorage,
  jobSecretsContext,
} from "@headwater/contracts";
import { HeadwaterError, type Sealer } from "@headwater/kernel";
import { createDestination, createHostKeys, type Destination } from "@headwater/stores/destinations";
import type { JobPorts } from "../runner/jobKind.ts";

/** A job that writes to a storage outside. */
export interface OutwardWork {
  readonly jobId: string;
  readonly account: Account;
  /** Sealed secrets of the request. */
  readonly secrets: string | undefined;
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
  { postgres, outbound, sealer }: Pick<JobPorts, "postgres" | "outbound" | "sealer">,
): Destination {
  const { jobId, account, createdAt } = work;
  const { id: accountId, settings } = account;
  if (sealer === undefined) throw noKey();
  const secrets = openSecrets(work, sealer);
  const complete = completeStorage({ storage, secrets }, { accountId, settings, open: sealer.open });
  if (!complete.success) throw incomplete();
  const hostKeys = createHostKeys(postgres, account.number);
  return createDestination(complete.data, { outbound, hostKeys, facts: { jobId, name, createdAt } });
}

function openSecrets({ secrets, account }: OutwardWork, sealer: Sealer): GivenSecrets {
  if (secrets === undefined) return {};
  return givenSecrets.parse(JSON.parse(sealer.open(secrets, jobSecretsContext(account.id))));
}

function noKey(): HeadwaterError {
  const publicMessage = "The worker has no HEADWATER_SETTINGS_KEY_FILE.";
  return new HeadwaterError({ code: "CONFIG_INVALID", status: 500, publicMessage });
}

function incomplete(): HeadwaterError {
  const publicMessage = "The saved storage of this job was changed or removed: it is no longer complete.";
  return new HeadwaterError({ code: "STORAGE_CONNECTION_ERROR", status: 422, publicMessage });
}
