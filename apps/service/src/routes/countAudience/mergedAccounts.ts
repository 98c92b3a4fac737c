/** Accounts that have had a merge, as their counts told: from then on their counts resolve numbers at once. */
export interface MergedAccounts {
  has(account: number): boolean;
  add(account: number): void;
}

/** More than that are forgotten; a forgotten account's next count takes twice the time and tells again. */
const ACCOUNTS_MAX = 100_000;

export function createMergedAccounts(accountsMax = ACCOUNTS_MAX): MergedAccounts {
  const accounts = new Set<number>();
  return {
    has: (account) => accounts.has(account),
    add: (account) => {
      if (accounts.size >= accountsMax) accounts.clear();
      accounts.add(account);
    },
  };
}
