import type { Staging } from "../exportKind.ts";

/** Contacts whose history one statement reads: what bounds the memory that it takes. */
const CONTACTS_AT_A_TIME = 200_000;

const sliceStatement = `SELECT max(contact) AS last, count() AS contacts FROM (
  SELECT contact FROM contacts_current WHERE account = {account: UInt32} AND contact >= {from: UInt64}
  ORDER BY contact LIMIT 1 BY contact LIMIT {most: UInt32})`;

export interface NumberRange {
  readonly from: number;
  /** Excluded. */
  readonly to: number;
}

/** Parts the account's contact numbers into ranges, from the first to the last. */
export async function* contactSlices({
  account,
  clickhouse,
  signal,
}: Pick<Staging<unknown>, "account" | "clickhouse" | "signal">): AsyncGenerator<NumberRange> {
  for (let from = 0; ; ) {
    const params = { account: account.number, from, most: CONTACTS_AT_A_TIME };
    const [row] = await clickhouse.query<{ last: number; contacts: number }>(sliceStatement, params, { signal });
    if (row === undefined || row.contacts === 0) return;
    yield { from, to: row.last + 1 };
    from = row.last + 1;
  }
}
