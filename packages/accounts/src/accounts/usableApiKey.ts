import type { Account } from "@headwater/contracts";
import type { Session } from "@headwater/postgres/connection/session";
import { type ApiKey, findApiKey, findApiKeys } from "./apiKeys.ts";

/** A key as whoever checks requests keeps it. */
export interface UsableApiKey {
  readonly kind: "key";
  readonly id: string;
  readonly name: string;
  readonly account: Account;
  readonly scopes: readonly string[];
  /** Addresses and ranges it may be used from; absent = any. */
  readonly allowIps?: readonly string[];
  /** Milliseconds since 1970. Keys that have ended are found, too: who keeps a key compares it with a clock of its own. */
  readonly expiresAtMs?: number;
}

/** The key of a hash with its account and settings as they are now; undefined for an unknown and for a revoked one. */
export async function findUsableApiKey(session: Session, hash: string): Promise<UsableApiKey | undefined> {
  const found = await findApiKey(session, hash);
  return found && toUsable(found);
}

/** The same for many hashes in one statement; those of unknown and revoked keys are left out. */
export async function findUsableApiKeys(
  session: Session,
  hashes: readonly string[],
): Promise<Map<string, UsableApiKey>> {
  const found = await findApiKeys(session, hashes);
  return new Map(
    [...found].flatMap(([hash, one]) => {
      const usable = toUsable(one);
      return usable === undefined ? [] : [[hash, usable] as const];
    }),
  );
}

function toUsable({ key, account }: { readonly key: ApiKey; readonly account: Account }): UsableApiKey | undefined {
  const { id, name, scopes, allowIps, expiresAt, revokedAt } = key;
  if (revokedAt !== null) return undefined;
  return {
    kind: "key",
    id,
    name,
    account,
    scopes,
    ...(allowIps !== null && { allowIps }),
    ...(expiresAt !== null && { expiresAtMs: expiresAt.getTime() }),
  };
}
