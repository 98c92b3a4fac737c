import type { Account, AttributeRules } from "@headwater/contracts";
import type { Clock } from "@headwater/kernel";
import { loadAttributeRules, type Postgres } from "@headwater/stores";

/** What another process declared is seen so late. */
const FRESH_MS = 5_000;
const ACCOUNTS_MAX = 10_000;

/** What is declared of accounts' attributes, for answers. */
export interface AttributeRulesCache {
  of(account: Account): Promise<AttributeRules | undefined>;
  /** It has changed. */
  forget(account: Account): void;
}

export function createAttributeRulesCache(postgres: Postgres, clock: Clock): AttributeRulesCache {
  const known = new Map<number, { readonly rules: Promise<AttributeRules | undefined>; readonly readAt: number }>();
  return {
    of(account) {
      const entry = known.get(account.number);
      if (entry !== undefined && clock.monotonicMs() - entry.readAt < FRESH_MS) return entry.rules;
      if (known.size >= ACCOUNTS_MAX) known.clear();
      const rules = loadAttributeRules(postgres, account);
      // A look that failed is not kept.
      rules.catch(() => known.delete(account.number));
      known.set(account.number, { rules, readAt: clock.monotonicMs() });
      return rules;
    },
    forget: ({ number }) => void known.delete(number),
  };
}
