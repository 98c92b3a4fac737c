import type { ApiKey } from "@headwater/http";
import { findApiKey, type Session } from "@headwater/stores";

/** Finds a key that may be used, with its account and settings as they are now. */
export function createKeyFinder(session: Session): (keyHash: string) => Promise<ApiKey | undefined> {
  return async (keyHash) => {
    const found = await findApiKey(session, keyHash);
    if (found === undefined || found.key.revokedAt !== null) return undefined;
    const { key, account } = found;
    const { id, scopes, expiresAt } = key;
    return { id, account, scopes, ...(expiresAt === null ? {} : { expiresAtMs: expiresAt.getTime() }) };
  };
}
