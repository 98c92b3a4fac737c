import type { Account } from "@headwater/contracts";
import { refusal } from "@headwater/http";
import { type Clock, systemClock, withTimeout } from "@headwater/kernel";

/** Settings may change: what is older is read again. */
const FRESH_MS = 1_000;
const ACCOUNTS_MAX = 10_000;
const LOOKUPS_MAX = 256;
const FIND_TIMEOUT_MS = 300;

export interface AccountCache {
  /**
   * The account of a path; undefined when there is none. While the store is away known accounts go on as they were.
   * @throws HeadwaterError 503 for one that was not seen before.
   */
  byId(id: string): Promise<Account | undefined>;
}

interface Entry {
  readonly account: Account | undefined;
  readonly readAtMs: number;
}

/** Accounts by their 24 hex characters, those that do not exist included, at most a second old. */
export function createAccountCache(
  find: (id: string) => Promise<Account | undefined>,
  clock: Clock = systemClock,
): AccountCache {
  const known = new Map<string, Entry>();
  const lookups = new Map<string, Promise<Account | undefined>>();

  function look(id: string): Promise<Account | undefined> {
    const running = lookups.get(id);
    if (running !== undefined) return running;
    if (lookups.size >= LOOKUPS_MAX) return Promise.reject(new Error("too many accounts are being looked up"));
    const lookup = withTimeout(() => find(id), FIND_TIMEOUT_MS).finally(() => lookups.delete(id));
    lookups.set(id, lookup);
    return lookup;
  }

  function remember(id: string, account: Account | undefined): void {
    if (known.size >= ACCOUNTS_MAX) known.clear();
    known.set(id, { account, readAtMs: clock.monotonicMs() });
  }

  return {
    async byId(id) {
      const entry = known.get(id);
      if (entry !== undefined && clock.monotonicMs() - entry.readAtMs < FRESH_MS) return entry.account;
      try {
        const account = await look(id);
        remember(id, account);
        return account;
      } catch (error) {
        if (entry?.account === undefined) {
          throw refusal("SERVICE_UNAVAILABLE", "The account cannot be looked up just now.", { cause: error });
        }
        remember(id, entry.account);
        return entry.account;
      }
    },
  };
}
