import {
  type Account,
  completeStorage,
  inputSecrets,
  type JobStorage,
  jobSecretsContext,
  type SecretsInput,
  type Storage,
} from "@headwater/contracts";
import { HeadwaterError, type Sealer } from "@headwater/kernel";

/** A job that may have secrets of its own. */
export interface SecretWork {
  readonly account: Account;
  /** Sealed secrets of the request. */
  readonly secrets: string | undefined;
}

/**
 * Puts a storage of a job together with its secrets, those of the request or the saved ones as they are now.
 * @throws HeadwaterError `STORAGE_CONNECTION_ERROR` when the saved storage is no longer complete, `CONFIG_INVALID` without the key.
 */
export function openStorage(work: SecretWork, storage: JobStorage, sealer: Sealer | undefined): Storage {
  const { id: accountId, settings } = work.account;
  if (sealer === undefined) throw noKey();
  const secrets = openSecrets(work, sealer);
  const complete = completeStorage({ storage, secrets }, { accountId, settings, open: sealer.open });
  if (!complete.success) throw incomplete();
  return complete.data;
}

/** Opens the secrets that a job's request gave. @throws HeadwaterError `CONFIG_INVALID` without the key. */
export function openSecrets({ secrets, account }: SecretWork, sealer: Sealer | undefined): SecretsInput {
  if (sealer === undefined) throw noKey();
  if (secrets === undefined) return {};
  return inputSecrets.parse(JSON.parse(sealer.open(secrets, jobSecretsContext(account.id))));
}

function noKey(): HeadwaterError {
  const publicMessage = "The worker has no HEADWATER_SETTINGS_KEY_FILE.";
  return new HeadwaterError({ code: "CONFIG_INVALID", status: 500, publicMessage });
}

function incomplete(): HeadwaterError {
  const publicMessage = "The saved storage of this job was changed or removed: it is no longer complete.";
  return new HeadwaterError({ code: "STORAGE_CONNECTION_ERROR", status: 422, publicMessage });
}
