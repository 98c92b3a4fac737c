import type { Account } from "@headwater/contracts";
import { type Clock, createTimedCache } from "@headwater/kernel";
import { findAccount, listAccounts } from "@headwater/stores/accounts";
import { loadAttributeRules } from "@headwater/stores/attributes";
import type { Postgres } from "@headwater/stores/postgres";

/** Settings may change: what is older is read again. */
const FRESH_MS = 5_000;
const ACCOUNTS_MAX = 10_000;

export interface AccountCache {
  byId(id: string): Promise<Account | undefined>;
  byNumber(number: number): Promise<Account | undefined>;
}

/** Accounts with their settings and what is declared of their attributes, at most five seconds old. */
export function createAccountCache(postgres: Postgres, clock: Clock): AccountCache {
  const known = createTimedCache<string, Account>({ ttlMs: FRESH_MS, entriesMax: ACCOUNTS_MAX, clock });
  /** Ids never change: they are kept beyond their accounts' time. */
  const ids = createTimedCache<number, string>({ ttlMs: Number.POSITIVE_INFINITY, entriesMax: ACCOUNTS_MAX, clock });
  const remember = async (found: Account): Promise<Account> => {
    const account = { ...found, attributes: await loadAttributeRules(postgres, found) };
    known.set(account.id, account);
    ids.set(account.number, account.id);
    return account;
  };
  const byId = async (id: string): Promise<Account | undefined> => {
    const fresh = known.fresh(id);
    if (fresh !== undefined) return fresh;
    const account = await findAccount(postgres, id);
    return account === undefined ? undefined : remember(account);
  };
  return {
    byId,
    async byNumber(number) {
      const id = ids.fresh(number);
      if (id !== undefined) return byId(id);
      const found = (await listAccounts(postgres)).find((account) => account.number === number);
      return found && remember(found);
    },
  };
}
