import type { Account } from "@headwater/contracts";
import type { Clock } from "@headwater/kernel";
import { findAccount, listAccounts, type Postgres } from "@headwater/stores";

/** Settings may change: what is older is read again. */
const FRESH_MS = 5_000;
const ACCOUNTS_MAX = 10_000;

export interface AccountCache {
  byId(id: string): Promise<Account | undefined>;
  byNumber(number: number): Promise<Account | undefined>;
}

/** Accounts with their settings, at most five seconds old. */
export function createAccountCache(postgres: Postgres, clock: Clock): AccountCache {
  const known = new Map<string, { readonly account: Account; readonly readAt: number }>();
  const remember = (account: Account): Account => {
    if (known.size >= ACCOUNTS_MAX) known.clear();
    known.set(account.id, { account, readAt: clock.monotonicMs() });
    return account;
  };
  const isFresh = (readAt: number) => clock.monotonicMs() - readAt < FRESH_MS;
  const byId = async (id: string): Promise<Account | undefined> => {
    const entry = known.get(id);
    if (entry !== undefined && isFresh(entry.readAt)) return entry.account;
    const account = await findAccount(postgres, id);
    return account === undefined ? undefined : remember(account);
  };
  return {
    byId,
    async byNumber(number) {
      for (const { account } of known.values()) if (account.number === number) return byId(account.id);
      for (const account of await listAccounts(postgres)) remember(account);
      return [...known.values()].find(({ account }) => account.number === number)?.account;
    },
  };
}
