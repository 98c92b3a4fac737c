import type { ClickHouse } from "@headwater/clickhouse/clickhouse";
import type { Account } from "@headwater/contracts";
import { aliasRevisionSql } from "@headwater/criteria";
import { createCache, systemClock } from "@headwater/kernel";

/** Distinguishes one state of an account's merges from another: the greatest revision of its aliases, "0" without any. Most accounts never merged a contact, and counts join aliases only where one was. */
export type AliasRevision = string;

/** The revision that each account was seen with last, which is most often the present one. */
export interface AliasRevisions {
  /** Reads the revision where none was seen yet. */
  lastSeen(account: Account): Promise<AliasRevision>;
  /** Stores the revision that a query of criteria ended with. */
  saw(account: Account, revision: AliasRevision): void;
}

/** A forgotten account's next count reads once more. A revision that is no longer the present one is found out by the query that uses it. */
const ACCOUNTS_MAX = 100_000;

const statement = `SELECT ${aliasRevisionSql("{account: UInt32}")} AS revision`;

export function createAliasRevisions({ clickHouse }: { readonly clickHouse: ClickHouse }): AliasRevisions {
  const seen = createCache<number, AliasRevision>({
    entriesMax: ACCOUNTS_MAX,
    clock: systemClock,
  });

  async function check({ number }: Account): Promise<AliasRevision> {
    const [row] = await clickHouse.query<{ revision: AliasRevision }>(statement, { account: number });
    return row?.revision ?? "0";
  }

  function saw({ number }: Account, revision: AliasRevision): void {
    seen.set(number, revision);
  }

  return {
    saw,
    lastSeen: async (account) => {
      const known = seen.get(account.number);
      if (known !== undefined) return known;
      const revision = await check(account);
      saw(account, revision);
      return revision;
    },
  };
}
