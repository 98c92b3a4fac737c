import type { Session } from "@headwater/postgres/connection/session";
import {
  type ApiKey,
  countApiKeys,
  createApiKey,
  endApiKey,
  listApiKeys,
  lockApiKey,
  type NewApiKey,
  revokeApiKey,
} from "./apiKeys.ts";

/** Port of the keys of accounts within a transaction. `apiKeyRowsContract` says what implementations promise. */
export interface ApiKeyRows {
  /** Lists all keys of an account in the order they were made, revoked ones too. */
  list(account: number): Promise<readonly ApiKey[]>;
  /** Counts the keys of an account that are not revoked. */
  count(account: number): Promise<number>;
  create(key: NewApiKey): Promise<ApiKey>;
  /** Locks a key that is valid now; `isReplaced`: another valid key replaces it already. */
  lock(account: number, id: string): Promise<{ readonly key: ApiKey; readonly isReplaced: boolean } | undefined>;
  /** Lets a key end after so many hours, or sooner when it would end sooner. @returns its hash. */
  end(id: string, hours: number): Promise<string | undefined>;
  /** @returns the hash of the key; undefined when there is no such key, or it was revoked before. */
  revoke(account: number, id: string): Promise<string | undefined>;
}

/** Keys in Postgres. */
export function apiKeyRowsOf(session: Session): ApiKeyRows {
  return {
    list: (account) => listApiKeys(session, account),
    count: (account) => countApiKeys(session, account),
    create: (key) => createApiKey(session, key),
    lock: (account, id) => lockApiKey(session, account, id),
    end: (id, hours) => endApiKey(session, id, hours),
    revoke: (account, id) => revokeApiKey(session, account, id),
  };
}
