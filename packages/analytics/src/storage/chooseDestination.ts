import { readAccountDocument } from "@headwater/accounts/accounts/accounts";
import type { OnceCall } from "@headwater/api/idempotency/runOnce";
import { type JobStorage, jobSecretsContext, storageTypes } from "@headwater/contracts";
import { refusal } from "@headwater/http";
import { createDestination, outsidePortsOf } from "@headwater/jobs/destinations/createDestination";
import { type ErrorDetail, pointerStep } from "@headwater/kernel";
import type { RoutePorts } from "../ports.ts";
import { callStorage } from "./callStorage.ts";
import { type Problems, type ReadStorage, readStorage } from "./readStorage.ts";

type Account = OnceCall["caller"]["account"];
type Reading = Parameters<typeof readStorage>[1];
type DestinationPorts = Pick<RoutePorts, "postgres" | "sealer" | "outbound" | "storages">;

/** The destination of an export, as its job keeps it. */
export interface ChosenDestination {
  readonly destination: JobStorage;
  /** Secrets that the request gave, sealed; undefined when it gave none. */
  readonly secrets: string | undefined;
}

/** Files kept here are a destination as well. */
const STORED_TYPE = "aws";
const AT = "/destination";

/**
 * Reads the member `destination` of an export, connects to it and signs in. Undefined: the files are kept here.
 * A storage that does not answer within 5 s is taken: the job goes on trying.
 * @throws HeadwaterError 422 `EXPORT_CONFIGURATION_ERROR` with the path of every wrong member, `STORAGE_CONNECTION_ERROR`.
 */
export async function chooseDestination(
  input: unknown,
  { number }: Pick<Account, "number">,
  ports: DestinationPorts,
): Promise<ChosenDestination | undefined> {
  if (isStoredHere(input)) return undefined;
  // The key's cache may not know yet what the account saved just now.
  const { account } = await readAccountDocument(ports.postgres, number);
  const read = readOutside(input, { account, sealer: ports.sealer });
  if (!("kept" in read)) throw wrong(read);
  await check(read, account, ports);
  const isPresent = Object.keys(read.secrets).length > 0;
  const sealed = isPresent
    ? ports.sealer?.seal(JSON.stringify(read.secrets), jobSecretsContext(account.id))
    : undefined;
  return { destination: read.kept, secrets: sealed };
}

/** Returns all that is wrong with the member `destination`, with its paths; nothing is connected. */
export function destinationProblems(provided: unknown, reading: Reading): readonly ErrorDetail[] {
  if (isStoredHere(provided)) return [];
  const read = readOutside(provided, reading);
  return "kept" in read ? [] : atDestination(read);
}

function readOutside(received: unknown, reading: Reading): ReadStorage | Problems {
  const problems = untyped(received);
  return problems.length > 0 ? problems : readStorage(received, reading);
}

/** Refuses what is no storage at all, with the types that there are. */
function untyped(given: unknown): Problems {
  if (typeof given !== "object" || given === null || Array.isArray(given))
    return [{ path: "", code: "type_mismatch", message: "The destination must be an object." }];
  const type: unknown = Reflect.get(given, "type");
  const allowed = [STORED_TYPE, ...storageTypes];
  if (type === undefined) return [{ path: "/type", code: "required", message: "`type` is required.", allowed }];
  if (storageTypes.some((known) => known === type)) return [];
  if (type === STORED_TYPE) return otherMembers(given);
  const message =
    type === "gcs" ? "Use type `s3` with the store's S3 interface." : "This type of destination is not supported.";
  return [{ path: "/type", code: "bad_value", message, allowed }];
}

function otherMembers(given: object): ErrorDetail[] {
  const names = Object.keys(given).filter((name) => name !== "type");
  const message = `Files of type \`${STORED_TYPE}\` are kept here: there are no other members.`;
  return names.map((name) => ({ path: `/${pointerStep(name)}`, code: "unknown_field", message }));
}

/** True when a body names no destination outside. */
export function isStoredHere(given: unknown): boolean {
  if (given === undefined || given === null) return true;
  const members = typeof given === "object" && given !== null ? Object.entries(given) : [];
  const [[name, value] = []] = members;
  return members.length === 1 && name === "type" && value === STORED_TYPE;
}

async function check({ storage }: ReadStorage, account: Account, ports: DestinationPorts): Promise<void> {
  const destination = createDestination(storage, outsidePortsOf(account.number, ports));
  await callStorage((signal) => destination.check(signal));
}

function atDestination(problems: Problems): ErrorDetail[] {
  return problems.map((detail) => ({ ...detail, path: `${AT}${detail.path}` }));
}

function wrong(problems: Problems) {
  const details = atDestination(problems);
  const [first] = details;
  const message = `The destination is invalid. ${first?.message ?? ""}`.trim();
  return refusal("EXPORT_CONFIGURATION_ERROR", message, { details });
}
