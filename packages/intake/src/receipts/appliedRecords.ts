import { plainArray, textArray } from "@headwater/postgres/connection/arrays";
import { deleteOlder } from "@headwater/postgres/connection/oldRows";
import type { Session, Transaction } from "@headwater/postgres/connection/session";

export interface RecordKey {
  readonly account: number;
  readonly recordId: string;
}

const loadStatement = {
  name: "applied_load",
  text: `SELECT account, record_id AS "recordId" FROM unnest($1::int[], $2::text[]) AS k (account, record_id)
    JOIN applied_records USING (account, record_id)`,
};
const insertStatement = {
  name: "applied_insert",
  text: `INSERT INTO applied_records (account, record_id, applied_at)
    SELECT account, record_id, $3 FROM unnest($1::int[], $2::text[]) AS r (account, record_id) ORDER BY account, record_id
    ON CONFLICT DO NOTHING`,
};
const aging = { table: "applied_records", column: "applied_at" };

/** Ids of those of the records (keyed ones) that were applied before; ids are unique over all accounts. */
export async function loadAppliedRecords(session: Session, keys: readonly RecordKey[]): Promise<ReadonlySet<string>> {
  if (keys.length === 0) return new Set();
  const rows = await session.query<RecordKey>(loadStatement, keyArrays(keys));
  return new Set(rows.map((row) => row.recordId));
}

/** Remembered for 72 h. @param appliedAt milliseconds since 1970. */
export async function insertAppliedRecords(
  transaction: Transaction,
  keys: readonly RecordKey[],
  appliedAt: number,
): Promise<void> {
  if (keys.length > 0) await transaction.execute(insertStatement, [...keyArrays(keys), appliedAt]);
}

/** Forgets the records that were applied before then. @returns how many. */
export function deleteAppliedRecords(session: Session, before: number): Promise<number> {
  return deleteOlder(session, aging, before);
}

function keyArrays(keys: readonly RecordKey[]): string[] {
  return [plainArray(keys, (key) => key.account), textArray(keys, (key) => key.recordId)];
}
