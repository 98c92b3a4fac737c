import type { Account } from "@headwater/contracts";
import { createFirstLookups, type FindMany, refusal } from "@headwater/http";
import { type Clock, createCache, systemClock, withTimeout } from "@headwater/kernel";

/** Settings may change: what is older is read again. */
const FRESH_MS = 1_000;
const ENTRIES_MAX = 10_000;
/** Time for an account that was not seen before: a busy machine may need most of it. */
const FIND_TIMEOUT_MS = 1_000;
/** Time that a refresh may take while the former answer can still be used. */
const REFRESH_TIMEOUT_MS = 150;
const ACCOUNT_ID = /^[0-9a-f]{24}$/;

export interface AccountCache {
  /**
   * The account of a path, asked for by this address; undefined when there is none. While the store is away known accounts go on as they were.
   * @throws HeadwaterError 503 for one that was not seen before.
   */
  byId(id: string, address?: string): Promise<Account | undefined>;
}

export interface AccountSource {
  readonly find: (id: string) => Promise<Account | undefined>;
  /** Finds ids that were not seen before, which anybody can make up. */
  readonly findMany: FindMany<Account>;
}

/** Accounts by their 24 hex characters, at most a second old. Ids that nobody has never push those out that somebody has. */
export function createAccountCache({ find, findMany }: AccountSource, clock: Clock = systemClock): AccountCache {
  const first = createFirstLookups({ findMany, timeoutMs: FIND_TIMEOUT_MS });
  const bounds = { ttlMs: FRESH_MS, entriesMax: ENTRIES_MAX, clock };
  const known = createCache<string, Account>(bounds);
  const missing = createCache<string, true>(bounds);
  const lookups = new Map<string, Promise<Account | undefined>>();

  /** One look-up of an id at a time. */
  function check(id: string, address: string): Promise<Account | undefined> {
    const running = lookups.get(id);
    if (running !== undefined) return running;
    const found =
      known.get(id, { allowStale: true }) !== undefined
        ? withTimeout(() => find(id), REFRESH_TIMEOUT_MS)
        : first.find(id, address);
    const lookup = found.finally(() => lookups.delete(id));
    lookups.set(id, lookup);
    return lookup;
  }

  function learn(id: string, account: Account | undefined): Account | undefined {
    if (account === undefined) {
      known.delete(id);
      missing.set(id, true);
    } else {
      known.set(id, account);
    }
    return account;
  }

  return {
    async byId(id, address = "") {
      const fresh = known.get(id);
      if (fresh !== undefined) return fresh;
      if (!ACCOUNT_ID.test(id) || missing.has(id)) return undefined;
      const last = known.get(id, { allowStale: true });
      try {
        return learn(id, await check(id, address));
      } catch (error) {
        if (last !== undefined) return learn(id, last);
        throw refusal("SERVICE_UNAVAILABLE", "The account cannot be looked up right now. Retry later.", {
          cause: error,
        });
      }
    },
  };
}
