import type { Account } from "@headwater/contracts";
import type { ClickHouse } from "@headwater/stores";

/** Tells one state of an account's merges from another: the greatest revision of its aliases, "0" without any. */
export type MergeMark = string;

export interface MergeMarks {
  /** The mark as it was seen last, which is most often the present one; looks when there was none. */
  lastSeen(account: Account): Promise<MergeMark>;
  /** Looks. Each merge writes its alias, and so another mark, before its contacts' rows change hands. */
  look(account: Account): Promise<MergeMark>;
}

/** More than that are forgotten: a forgotten account's next count looks once more. */
const ACCOUNTS_MAX = 100_000;

const statement = "SELECT toString(max(revision)) AS mark FROM contact_aliases WHERE account = {account: UInt32}";

export function createMergeMarks({ clickHouse }: { readonly clickHouse: ClickHouse }): MergeMarks {
  const seen = new Map<number, MergeMark>();

  async function look({ number }: Account): Promise<MergeMark> {
    const [row] = await clickHouse.query<{ mark: MergeMark }>(statement, { account: number });
    const mark = row?.mark ?? "0";
    if (seen.size >= ACCOUNTS_MAX) seen.clear();
    seen.set(number, mark);
    return mark;
  }

  return { look, lastSeen: async (account) => seen.get(account.number) ?? look(account) };
}
