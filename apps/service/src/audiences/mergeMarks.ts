import { aliasRevisionSql } from "@headwater/audience";
import type { Account } from "@headwater/contracts";
import type { ClickHouse } from "@headwater/stores";

/** Tells one state of an account's merges from another: the greatest revision of its aliases, "0" without any. */
export type MergeMark = string;

/** The mark that each account was seen with last, which is most often the present one. */
export interface MergeMarks {
  /** Looks when there was none. */
  lastSeen(account: Account): Promise<MergeMark>;
  /** Every query of criteria tells the mark that it ended with. */
  saw(account: Account, mark: MergeMark): void;
}

/** More than that are forgotten: a forgotten account's next count looks once more. */
const ACCOUNTS_MAX = 100_000;

const statement = `SELECT ${aliasRevisionSql("{account: UInt32}")} AS mark`;

export function createMergeMarks({ clickHouse }: { readonly clickHouse: ClickHouse }): MergeMarks {
  const seen = new Map<number, MergeMark>();

  async function look({ number }: Account): Promise<MergeMark> {
    const [row] = await clickHouse.query<{ mark: MergeMark }>(statement, { account: number });
    return row?.mark ?? "0";
  }

  function saw({ number }: Account, mark: MergeMark): void {
    if (seen.size >= ACCOUNTS_MAX) seen.clear();
    seen.set(number, mark);
  }

  return {
    saw,
    lastSeen: async (account) => {
      const known = seen.get(account.number);
      if (known !== undefined) return known;
      const mark = await look(account);
      saw(account, mark);
      return mark;
    },
  };
}
