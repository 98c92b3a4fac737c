import type { Account, AttributeRules } from "@headwater/contracts";
import { type Clock, createCache } from "@headwater/kernel";
import type { Postgres } from "@headwater/postgres/connection/postgres";
import { loadAttributeRules } from "./postgres.ts";

/** Limit of the time until a declaration made by another process is seen. */
const FRESH_MS = 5_000;
const ACCOUNTS_MAX = 10_000;

/** Cache of what accounts declare of their attributes, for answers. */
export interface AttributeRulesCache {
  of(account: Account): Promise<AttributeRules | undefined>;
  /** It has changed. */
  forget(account: Account): void;
}

export function createAttributeRulesCache(postgres: Postgres, clock: Clock): AttributeRulesCache {
  const known = createCache<number, Promise<AttributeRules | undefined>>({
    ttlMs: FRESH_MS,
    entriesMax: ACCOUNTS_MAX,
    clock,
  });
  return {
    of(account) {
      const fresh = known.get(account.number);
      if (fresh !== undefined) return fresh;
      const rules = loadAttributeRules(postgres, account);
      // A check that failed is not kept.
      rules.catch(() => known.delete(account.number));
      known.set(account.number, rules);
      return rules;
    },
    forget: ({ number }) => void known.delete(number),
  };
}
