import { aliasRevisionSql } from "@headwater/audience";
import type { Account } from "@headwater/contracts";
import { createTimedCache, systemClock } from "@headwater/kernel";
import type { ClickHouse } from "@headwater/stores/clickhouse";

/** Distinguishes one state of an account's merges from another: the greatest revision of its aliases, "0" without any. */
export type MergeMark = string;

/** The mark that each account was seen with last, which is most often the present one. */
export interface MergeMarks {
  /** Looks when there was none. */
  lastSeen(account: Account): Promise<MergeMark>;
  /** Every query of criteria reports the mark that it ended with. */
  saw(account: Account, mark: MergeMark): void;
}

/** A forgotten account's next count looks once more. */
const ACCOUNTS_MAX = 100_000;
/** A mark that is no longer the present one is found out by the query that uses it. */
const NEVER_STALE = Number.POSITIVE_INFINITY;

const statement = `SELECT ${aliasRevisionSql("{account: UInt32}")} AS mark`;

export function createMergeMarks({ clickHouse }: { readonly clickHouse: ClickHouse }): MergeMarks {
  const seen = createTimedCache<number, MergeMark>({
    ttlMs: NEVER_STALE,
    entriesMax: ACCOUNTS_MAX,
    clock: systemClock,
  });

  async function look({ number }: Account): Promise<MergeMark> {
    const [row] = await clickHouse.query<{ mark: MergeMark }>(statement, { account: number });
    return row?.mark ?? "0";
  }

  function saw({ number }: Account, mark: MergeMark): void {
    seen.set(number, mark);
  }

  return {
    saw,
    lastSeen: async (account) => {
      const known = seen.fresh(account.number);
      if (known !== undefined) return known;
      const mark = await look(account);
      saw(account, mark);
      return mark;
    },
  };
}
