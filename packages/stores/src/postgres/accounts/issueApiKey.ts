import { apiKeyLimits, type NewApiKeyBody } from "@headwater/contracts";
import type { Transaction } from "../session.ts";
import { type ApiKey, countApiKeys, createApiKey, endApiKey, lockApiKey, type NewApiKey } from "./apiKeys.ts";

/** A key that is wanted: its secret's hash, and what the body of `POST /v2/apikeys` says. */
export interface WantedApiKey extends Pick<NewApiKey, "id" | "account" | "hash" | "prefix" | "expiresAt"> {
  readonly body: NewApiKeyBody;
  /** Scopes that whoever asks may not give, out of those the key would have. */
  readonly notTheirs: (scopes: readonly string[]) => readonly string[];
}

export type IssuedApiKey =
  /** `replacedHash`: of the key that has an end now. */
  | { readonly kind: "issued"; readonly key: ApiKey; readonly replacedHash?: string }
  /** There is no key to replace, or it has ended. */
  | { readonly kind: "unknownKey" }
  /** Two keys are valid during a rotation, never three: another one replaces it already. */
  | { readonly kind: "replacedAlready" }
  | { readonly kind: "notTheirs"; readonly scopes: readonly string[] }
  | { readonly kind: "tooMany" };

/**
 * Makes a key, or one in the place of another, which then ends after its hours of grace. What a rotation does not give is taken
 * over, the allow-list too: a key must not become usable from everywhere because it got a new secret.
 */
export async function issueApiKey(transaction: Transaction, wanted: WantedApiKey): Promise<IssuedApiKey> {
  const { body, account, id, hash, prefix, expiresAt } = wanted;
  const { rotates, graceHours = apiKeyLimits.graceHoursUsual } = body;
  const old = rotates === undefined ? undefined : await lockApiKey(transaction, account, rotates);
  if (rotates !== undefined && old === undefined) return { kind: "unknownKey" };
  if (old?.isReplaced === true) return { kind: "replacedAlready" };
  const { name = old?.key.name ?? "", scopes = old?.key.scopes ?? [] } = body;
  const missing = wanted.notTheirs(scopes);
  if (missing.length > 0) return { kind: "notTheirs", scopes: missing };
  if ((await countApiKeys(transaction, account)) >= apiKeyLimits.keysOfAccount) return { kind: "tooMany" };
  const allowIps = body.allowIPs ?? old?.key.allowIps ?? undefined;
  const key = await createApiKey(transaction, {
    ...{ id, account, hash, prefix, name, scopes: [...new Set(scopes)] },
    ...(allowIps !== undefined && { allowIps }),
    ...(rotates !== undefined && { rotates }),
    ...(expiresAt !== undefined && { expiresAt }),
  });
  const replacedHash = rotates === undefined ? undefined : await endApiKey(transaction, rotates, graceHours);
  return { kind: "issued", key, ...(replacedHash !== undefined && { replacedHash }) };
}
