import { isDeepStrictEqual } from "node:util";
import { type ChosenSource, chooseSource } from "@headwater/analytics/imports/source/chooseSource";
import { readSource } from "@headwater/analytics/imports/source/readSource";
import { findUpload, UPLOAD_GONE } from "@headwater/analytics/imports/source/uploadSource";
import { chooseDestination, isStoredHere } from "@headwater/analytics/storage/chooseDestination";
import {
  type Account,
  inputSecrets,
  jobSecretsContext,
  jobStorage,
  last4Of,
  type SecretsInput,
  secretMembers,
  secretView,
  storageLocationMembers,
} from "@headwater/contracts";
import { refusal } from "@headwater/http";
import { type ErrorDetail, type Sealer, safeParse } from "@headwater/kernel";
import type { Session } from "@headwater/postgres/connection/session";
import { z } from "zod";
import type { DataJobPorts } from "./ports.ts";

/** A storage as a data job stores it: without secrets, which are sealed next to it. */
const storedStorage = z.strictObject({
  /** Id of an upload. */
  upload: z.string().optional(),
  /** Members of any other storage, without secrets. */
  outside: z.union([jobStorage, z.strictObject({ type: z.enum(["http", "https"]) })]).optional(),
  fileName: z.string().optional(),
  secrets: z.string().optional(),
  /** Ends of its secrets by member. */
  last4: z.record(z.string(), z.string()),
});
export type StoredStorage = z.output<typeof storedStorage>;

export function readStoredStorage(text: string | null): StoredStorage | undefined {
  return text === null ? undefined : storedStorage.parse(JSON.parse(text));
}

type Members = Readonly<Record<string, unknown>>;

/** Returns a stored source as reads show it. */
export function showSource({ upload, outside, last4 }: StoredStorage): Members {
  if (upload !== undefined) return { transport: "file", path: `upload:${upload}` };
  const { type: transport, ...members } = { type: undefined, ...outside };
  return { transport, ...members, ...secretsView(last4) };
}

/** Returns a stored destination as reads show it. */
export function showDestination({ outside, last4 }: StoredStorage): Members {
  return { ...outside, ...secretsView(last4) };
}

function secretsView(last4: Readonly<Record<string, string>>): Members {
  return Object.fromEntries(Object.entries(last4).map(([name, end]) => [name, { set: true, last4: end }]));
}

interface Resolving {
  readonly account: Account;
  /** Stored storage that the new one replaces. */
  readonly before: StoredStorage | undefined;
  readonly ports: Pick<DataJobPorts, "postgres" | "sealer" | "outbound" | "storages" | "clock">;
}

/**
 * Resolves the member `source`, and reads how the source begins. A secret written back as it is shown stays.
 * @throws HeadwaterError 422 `IMPORT_CONFIGURATION_ERROR`, `STORAGE_CONNECTION_ERROR`.
 */
export async function resolveSource(given: unknown, { account, before, ports }: Resolving): Promise<StoredStorage> {
  const problems: ErrorDetail[] = [];
  const shown = before && showSource(before);
  const complete = withStoredSecrets(given, { account, shown, before, sealer: ports.sealer });
  const read = readSource(complete, { account, sealer: ports.sealer, problems });
  if (read === undefined) throw misconfigured("IMPORT_CONFIGURATION_ERROR", "source", problems);
  const chosen = await chooseSource(read, account, ports);
  if (chosen.kind === "upload") {
    await expectUpload(ports.postgres, { account: account.number, id: chosen.id, nowMs: ports.clock.nowMs() });
    return { upload: chosen.id, last4: {} };
  }
  return toStored(chosen, complete);
}

/** Throws 422 `IMPORT_CONFIGURATION_ERROR` for an upload that is not stored any more. */
export async function expectUpload(session: Session, named: Parameters<typeof findUpload>[1]): Promise<void> {
  const upload = await findUpload(session, named);
  if (upload === undefined) throw misconfigured("IMPORT_CONFIGURATION_ERROR", "source", [UPLOAD_GONE]);
}

function toStored({ outside, fileName, secrets }: Extract<ChosenSource, { kind: "outside" }>, given: unknown) {
  return { outside, fileName, ...(secrets !== undefined && { secrets }), last4: last4In(given) };
}

/**
 * Resolves the member `destination`, connects to it and signs in; undefined: files are kept here. A secret written back as it is shown stays.
 * @throws HeadwaterError 422 `EXPORT_CONFIGURATION_ERROR`, `STORAGE_CONNECTION_ERROR`.
 */
export async function resolveDestination(
  given: unknown,
  { account, before, ports }: Resolving,
): Promise<StoredStorage | undefined> {
  if (isStoredHere(given)) return undefined;
  const shown = before && showDestination(before);
  const complete = withStoredSecrets(given, { account, shown, before, sealer: ports.sealer });
  const chosen = await chooseDestination(complete, account, ports);
  if (chosen === undefined) return undefined;
  const { destination, secrets } = chosen;
  return { outside: destination, ...(secrets !== undefined && { secrets }), last4: last4In(complete) };
}

/** Members whose values are never shown: of storages those that they say, of a link its address. */
function isSecret(name: string): boolean {
  return secretMembers.has(name) || name === "url";
}

function last4In(given: unknown): Record<string, string> {
  const secrets = Object.entries(Object(given)).filter(([name]) => isSecret(name));
  return Object.fromEntries(secrets.map(([name, value]) => [name, last4Of(String(value))]));
}

interface Replaced {
  readonly account: Account;
  readonly shown: Members | undefined;
  readonly before: StoredStorage | undefined;
  readonly sealer: Sealer | undefined;
}

/** A stored secret is shown to nobody but the host, and as nobody but the user, that it was given for. */
function withStoredSecrets(given: unknown, { account, shown, before, sealer }: Replaced): unknown {
  if (typeof given !== "object" || given === null || shown === undefined || before?.secrets === undefined) return given;
  const members = Object.entries(given);
  const isKept = members.some(([name, value]) => isSecret(name) && safeParse(secretView, value).success);
  if (!isKept || sealer === undefined || !isSameTarget(Object.fromEntries(members), shown)) return given;
  const stored: SecretsInput = inputSecrets.parse(
    JSON.parse(sealer.open(before.secrets, jobSecretsContext(account.id))),
  );
  const complete = members.map(([name, value]) => [
    name,
    isDeepStrictEqual(value, shown[name]) ? (stored[name] ?? value) : value,
  ]);
  return Object.fromEntries(complete);
}

function isSameTarget(given: Members, shown: Members): boolean {
  const locations: ReadonlySet<string> = new Set(Object.values(storageLocationMembers).flat());
  const names = new Set([...Object.keys(given), ...Object.keys(shown)]);
  return names
    .keys()
    .every((name) => isSecret(name) || locations.has(name) || isDeepStrictEqual(given[name], shown[name]));
}

function misconfigured(
  code: "IMPORT_CONFIGURATION_ERROR" | "EXPORT_CONFIGURATION_ERROR",
  what: "source" | "destination",
  details: readonly ErrorDetail[],
) {
  const message = `The ${what} is invalid. ${details[0]?.message ?? ""}`.trim();
  return refusal(code, message, { details });
}
