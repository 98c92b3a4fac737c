import type { Account } from "@headwater/contracts";
import type { Clock } from "@headwater/kernel";
import { findAccount, listAccounts, loadAttributeRules, type Postgres } from "@headwater/stores";

/** Settings may change: what is older is read again. */
const FRESH_MS = 5_000;
const ACCOUNTS_MAX = 10_000;

export interface AccountCache {
  byId(id: string): Promise<Account | undefined>;
  byNumber(number: number): Promise<Account | undefined>;
}

/** Accounts with their settings and what is declared of their attributes, at most five seconds old. */
export function createAccountCache(postgres: Postgres, clock: Clock): AccountCache {
  const known = new Map<string, { readonly account: Account; readonly readAt: number }>();
  const remember = async (found: Account): Promise<Account> => {
    const readAt = clock.monotonicMs();
    const account = { ...found, attributes: await loadAttributeRules(postgres, found) };
    if (known.size >= ACCOUNTS_MAX) known.clear();
    known.set(account.id, { account, readAt });
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
      const found = (await listAccounts(postgres)).find((account) => account.number === number);
      return found && remember(found);
    },
  };
}
