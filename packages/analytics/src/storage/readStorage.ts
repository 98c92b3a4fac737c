import {
  type Account,
  completeStorage,
  type JobStorage,
  partSecrets,
  pathPlaceholders,
  type RequestedStorage,
  requestedStorage,
  type SecretsInput,
  type Storage,
  storageLocationMembers,
  storagePathMembers,
  unknownPlaceholders,
} from "@headwater/contracts";
import { nearestFirst } from "@headwater/criteria";
import { readHostKey } from "@headwater/jobs/destinations/sftp/hostKeys";
import { type ErrorDetail, type Sealer, safeParse, toDetails } from "@headwater/kernel";

/** A storage that a request names, read and complete. */
export interface ReadStorage {
  /** The part that the job keeps: no secret. */
  readonly kept: JobStorage;
  readonly secrets: SecretsInput;
  /** All of it with its secrets: in memory only. */
  readonly storage: Storage;
}

/** Problems of a body, with paths below the member that holds the storage. */
export type Problems = readonly ErrorDetail[];

/** Reads a storage of a request body against the account's saved ones. Nothing is connected. */
export function readStorage(
  input: unknown,
  { account, sealer }: { readonly account: Account; readonly sealer: Sealer | undefined },
): ReadStorage | Problems {
  const parsed = safeParse(requestedStorage, input);
  if (!parsed.success) return toDetails(parsed.error);
  const requested = parsed.data;
  const problems = [...wrongPath(requested), ...wrongHostKey(requested), ...wrongReference(requested, account)];
  if (problems.length > 0) return problems;
  const { storage: stored, secrets } = partSecrets(requested);
  if (sealer === undefined) return [problem("", "not_allowed", NO_KEY)];
  const { id: accountId, settings } = account;
  const complete = completeStorage({ storage: stored, secrets }, { accountId, settings, open: sealer.open });
  return complete.success ? { kept: stored, secrets, storage: complete.data } : toDetails(complete.error);
}

const NO_KEY = "This installation keeps no secrets: its operator has not set HEADWATER_SETTINGS_KEY_FILE.";

function wrongPath(requested: RequestedStorage): Problems {
  const member = storagePathMembers[requested.type];
  const path: unknown = Reflect.get(requested, member);
  if (typeof path !== "string") return [];
  const allowed = pathPlaceholders.map((name) => `{${name}}`);
  return unknownPlaceholders(path).map((name) => ({
    ...problem(`/${member}`, "bad_value", `There is no placeholder {${name}}.`),
    allowed,
  }));
}

function wrongHostKey(requested: RequestedStorage): Problems {
  if (requested.type !== "sftp" || requested.hostKey === undefined) return [];
  if (readHostKey(requested.hostKey) !== undefined) return [];
  return [problem("/hostKey", "bad_value", "The host key must be a public key or a fingerprint `SHA256:…`.")];
}

/** A saved secret is shown to nobody but the host, and as nobody but the user, that it was saved for. */
function wrongReference(requested: RequestedStorage, { settings }: Account): Problems {
  const { savedKey, type, ...provided } = requested;
  if (savedKey === undefined) return [];
  const entry = settings.storage[savedKey];
  if (entry === undefined) {
    const allowed = nearestFirst(savedKey, Object.keys(settings.storage));
    const message = `No storage is saved as "${savedKey}".`;
    return [{ ...problem("/savedKey", "unknown_reference", message), ...(allowed.length > 0 && { allowed }) }];
  }
  if (entry.type !== type)
    return [problem("/type", "bad_value", `The storage saved as "${savedKey}" is of type ${entry.type}.`)];
  const saved = new Map<string, unknown>(Object.entries(entry));
  const locations: readonly string[] = storageLocationMembers[type];
  return Object.entries(provided)
    .filter(([name, value]) => saved.has(name) && !locations.includes(name) && saved.get(name) !== value)
    .map(([name]) => problem(`/${name}`, "not_allowed", `The storage saved as "${savedKey}" has another \`${name}\`.`));
}

function problem(path: string, code: string, message: string): ErrorDetail {
  return { path, code, message };
}
