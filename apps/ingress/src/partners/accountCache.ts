import type { Account } from "@headwater/contracts";
import { createFirstLookups, type FindMany, refusal } from "@headwater/http";
import { type Clock, systemClock, withTimeout } from "@headwater/kernel";

/** Settings may change: what is older is read again. */
const FRESH_MS = 1_000;
const ENTRIES_MAX = 10_000;
const FIND_TIMEOUT_MS = 400;
/** Where there is something to go on with. */
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
  /** For ids that were not seen before, which anybody can make up. */
  readonly findMany: FindMany<Account>;
}

/** Accounts by their 24 hex characters, at most a second old. Ids that nobody has never push those out that somebody has. */
export function createAccountCache({ find, findMany }: AccountSource, clock: Clock = systemClock): AccountCache {
  const first = createFirstLookups({ findMany, timeoutMs: FIND_TIMEOUT_MS });
  const known = new Map<string, { readonly account: Account; readonly readAtMs: number }>();
  const missing = new Map<string, number>();
  const lookups = new Map<string, Promise<Account | undefined>>();
  const isFresh = (readAtMs: number | undefined) => readAtMs !== undefined && clock.monotonicMs() - readAtMs < FRESH_MS;

  /** One look-up of an id at a time. */
  function look(id: string, address: string): Promise<Account | undefined> {
    const running = lookups.get(id);
    if (running !== undefined) return running;
    const found = known.has(id) ? withTimeout(() => find(id), REFRESH_TIMEOUT_MS) : first.find(id, address);
    const lookup = found.finally(() => lookups.delete(id));
    lookups.set(id, lookup);
    return lookup;
  }

  function learn(id: string, account: Account | undefined): Account | undefined {
    if (account === undefined) {
      known.delete(id);
      put(missing, id, clock.monotonicMs());
    } else {
      put(known, id, { account, readAtMs: clock.monotonicMs() });
    }
    return account;
  }

  return {
    async byId(id, address = "") {
      const entry = known.get(id);
      if (entry !== undefined && isFresh(entry.readAtMs)) return entry.account;
      if (!ACCOUNT_ID.test(id) || isFresh(missing.get(id))) return undefined;
      try {
        return learn(id, await look(id, address));
      } catch (error) {
        if (entry !== undefined) return learn(id, entry.account);
        throw refusal("SERVICE_UNAVAILABLE", "The account cannot be looked up right now. Retry later.", {
          cause: error,
        });
      }
    },
  };
}

/** Bounded: a full map begins anew. */
function put<Value>(map: Map<string, Value>, name: string, value: Value): void {
  if (map.size >= ENTRIES_MAX) map.clear();
  map.set(name, value);
}
