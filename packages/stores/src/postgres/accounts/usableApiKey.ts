import type { Account } from "@headwater/contracts";
import type { Session } from "../session.ts";
import { findApiKey } from "./apiKeys.ts";

/** A key as whoever checks requests keeps it. */
export interface UsableApiKey {
  readonly id: string;
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
  if (found === undefined || found.key.revokedAt !== null) return undefined;
  const { key, account } = found;
  const { id, scopes, allowIps, expiresAt } = key;
  return {
    id,
    account,
    scopes,
    ...(allowIps !== null && { allowIps }),
    ...(expiresAt !== null && { expiresAtMs: expiresAt.getTime() }),
  };
}
