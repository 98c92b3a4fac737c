import {
  apiKeyLimits,
  type KeyRights,
  type NewApiKeyBody,
  rightsBeyond,
  scopesBeyond,
  sharedLimits,
} from "@headwater/contracts";
import type { Transaction } from "@headwater/postgres/connection/session";
import { type ApiKeyRows, apiKeyRowsOf } from "./apiKeyRows.ts";
import type { ApiKey, NewApiKey } from "./apiKeys.ts";

/** A key that is wanted: its secret's hash, and what the body of `POST /v2/apikeys` says. */
export interface WantedApiKey extends Pick<NewApiKey, "id" | "account" | "hash" | "prefix" | "expiresAt"> {
  readonly body: NewApiKeyBody;
  /** The key that asks: nothing it makes is wider than it. Absent: an operator at the database. */
  readonly maker?: KeyRights;
}

export type IssuedApiKey =
  /** `replacedHash`: of the key that has an end now. */
  | { readonly kind: "issued"; readonly key: ApiKey; readonly replacedHash?: string }
  /** The key to replace does not exist or has ended. */
  | { readonly kind: "unknownKey" }
  /** Two keys are valid during a rotation, never three: another one replaces it already. */
  | { readonly kind: "replacedAlready" }
  | { readonly kind: "notTheirs"; readonly scopes: readonly string[] }
  /** The key to replace has more rights than its replacer: `rights` names them. */
  | { readonly kind: "widerKey"; readonly rights: readonly string[] }
  /** No address may use both the maker and the new key. */
  | { readonly kind: "otherAddresses" }
  | { readonly kind: "tooMany" };

/**
 * Makes a key, or one in the place of another, which then ends after its hours of grace. What a rotation does not give is taken
 * over, the allow-list too: a key must not become usable from everywhere because it got a new secret. Addresses and expiry are
 * those that the maker has as well, and it may replace only keys that can do no more than it, else it could end any of them.
 */
export async function issueKey(rows: ApiKeyRows, wanted: WantedApiKey): Promise<IssuedApiKey> {
  const { body, account, maker } = wanted;
  const { rotates, graceHours = apiKeyLimits.graceHoursUsual } = body;
  const old = rotates === undefined ? undefined : await rows.lock(account, rotates);
  if (rotates !== undefined && old === undefined) return { kind: "unknownKey" };
  const wider = maker === undefined || old === undefined ? [] : rightsBeyond(maker, rightsOf(old.key));
  if (wider.length > 0) return { kind: "widerKey", rights: wider };
  if (old?.isReplaced === true) return { kind: "replacedAlready" };
  const { scopes = old?.key.scopes ?? [] } = body;
  const missing = maker === undefined ? [] : scopesBeyond(maker, scopes);
  if (missing.length > 0) return { kind: "notTheirs", scopes: missing };
  const limits = limitsOf(wanted, old?.key);
  if (limits.allowIps?.length === 0) return { kind: "otherAddresses" };
  if ((await rows.count(account)) >= apiKeyLimits.keysOfAccount) return { kind: "tooMany" };
  const key = await rows.create({ ...newKeyOf(wanted, old?.key, scopes), ...limits });
  const replacedHash = rotates === undefined ? undefined : await rows.end(rotates, graceHours);
  return { kind: "issued", key, ...(replacedHash !== undefined && { replacedHash }) };
}

/** Makes a key in Postgres. */
export function issueApiKey(transaction: Transaction, wanted: WantedApiKey): Promise<IssuedApiKey> {
  return issueKey(apiKeyRowsOf(transaction), wanted);
}

function rightsOf({ scopes, allowIps, expiresAt }: ApiKey): KeyRights {
  return {
    scopes,
    ...(allowIps !== null && { allowIps }),
    ...(expiresAt !== null && { expiresAtMs: expiresAt.getTime() }),
  };
}

/** A replacement without an allow list takes the former one over: no list means any address, and would open the key to everybody. */
function limitsOf({ body, expiresAt, maker }: WantedApiKey, old: ApiKey | undefined) {
  const allowIps = body.allowIPs ?? old?.allowIps ?? undefined;
  const input = {
    ...(allowIps !== undefined && { allowIps }),
    ...(expiresAt !== undefined && { expiresAtMs: expiresAt.getTime() }),
  };
  const { expiresAtMs, ...limits } = maker === undefined ? input : sharedLimits(maker, input);
  return { ...limits, ...(expiresAtMs !== undefined && { expiresAt: new Date(expiresAtMs) }) };
}

function newKeyOf({ body, ...wanted }: WantedApiKey, old: ApiKey | undefined, scopes: readonly string[]): NewApiKey {
  const { id, account, hash, prefix } = wanted;
  const { rotates, name = old?.name ?? "" } = body;
  return {
    ...{ id, account, hash, prefix, name, scopes: [...new Set(scopes)] },
    ...(rotates !== undefined && { rotates }),
  };
}
