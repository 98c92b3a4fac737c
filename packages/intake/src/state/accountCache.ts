import { findAccount, listAccounts } from "@headwater/accounts/accounts/accounts";
import type { Account } from "@headwater/contracts";
import { type Clock, createCache } from "@headwater/kernel";
import type { Postgres } from "@headwater/postgres/connection/postgres";
import { loadAttributeRules, readAttributeChanges } from "@headwater/records/attributes/postgres";

/** Settings may change: what is older is read again. */
const FRESH_MS = 5_000;
const ACCOUNTS_MAX = 10_000;
/** Difference that is allowed between the clocks of the log and of this process. */
const CLOCKS_APART_MS = 1_000;

export interface AccountCache {
  byId(id: string): Promise<Account | undefined>;
  byNumber(number: number): Promise<Account | undefined>;
  /**
   * Forgets the accounts whose definitions of attributes have changed: a record that was appended by this time (milliseconds since
   * 1970) meets all that were there before it.
   */
  catchUp(appendedAtMs: number): Promise<void>;
}

/** Accounts with their settings, at most five seconds old, and what is declared of their attributes. */
export function createAccountCache(postgres: Postgres, clock: Clock): AccountCache {
  const known = createCache<string, Account>({ ttlMs: FRESH_MS, entriesMax: ACCOUNTS_MAX, clock });
  /** Ids never change: they are kept beyond their accounts' time. */
  const ids = createCache<number, string>({ entriesMax: ACCOUNTS_MAX, clock });
  const changes = new Map<number, string>();
  let next: string | undefined;
  let caughtUpAtMs = Number.NEGATIVE_INFINITY;

  async function remember(account: Account): Promise<Account> {
    const sinceMs = clock.monotonicMs();
    const before = changes.get(account.number);
    const loaded = { ...account, attributes: await loadAttributeRules(postgres, account) };
    if (changes.get(account.number) !== before) return remember(account);
    known.set(loaded.id, loaded, { start: sinceMs });
    ids.set(loaded.number, loaded.id);
    return loaded;
  }

  async function byId(id: string): Promise<Account | undefined> {
    const fresh = known.get(id);
    if (fresh !== undefined) return fresh;
    const account = await findAccount(postgres, id);
    return account === undefined ? undefined : remember(account);
  }

  return {
    byId,
    async byNumber(number) {
      const id = ids.get(number);
      if (id !== undefined) return byId(id);
      const account = (await listAccounts(postgres)).find((one) => one.number === number);
      return account && remember(account);
    },
    async catchUp(appendedAtMs) {
      if (appendedAtMs < caughtUpAtMs - CLOCKS_APART_MS) return;
      const nowMs = clock.nowMs();
      const read = await readAttributeChanges(postgres, next);
      for (const [account, changedBy] of read.accounts) {
        if (changes.get(account) === changedBy) continue;
        changes.set(account, changedBy);
        const id = ids.get(account);
        if (id !== undefined) known.delete(id);
      }
      next = read.next;
      caughtUpAtMs = nowMs;
    },
  };
}
