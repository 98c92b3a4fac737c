import type { ClickHouseBulk } from "@headwater/clickhouse/bulk";
import type { ClickHouse } from "@headwater/clickhouse/clickhouse";

/** Rows of a staging table that become one file of a job. */
export interface ContactsOfFile {
  readonly account: number;
  readonly jobId: string;
  readonly file: string;
  readonly table: string;
  readonly from: number;
  readonly to: number;
}

const insertStatement = (table: string) => `INSERT INTO exported_contacts (account, contact, job, file)
  SELECT DISTINCT {account: UInt32}, contact, {job: String}, {file: String} FROM ${table}
  WHERE n >= {from: UInt64} AND n <= {to: UInt64} AND contact > 0`;
const filesStatement = `SELECT DISTINCT job, file FROM exported_contacts
  WHERE account = {account: UInt32} AND contact IN {numbers: Array(UInt64)} ORDER BY job, file`;
const touchedStatement = (table: string) =>
  `SELECT count() AS rows FROM ${table} WHERE contact IN {numbers: Array(UInt64)}`;

/** Remembers whom a file is about, before anybody can read it. */
export async function keepContactsOf(bulk: ClickHouseBulk, of: ContactsOfFile, signal: AbortSignal): Promise<void> {
  const { account, jobId: job, file, table, from, to } = of;
  await bulk.run({ sql: insertStatement(table), params: { account, job, file, from, to }, signal });
}

/** Files that hold one of the contacts. */
export function filesWithContacts(
  clickhouse: ClickHouse,
  account: number,
  numbers: readonly number[],
): Promise<{ readonly job: string; readonly file: string }[]> {
  return clickhouse.query(filesStatement, { account, numbers });
}

/** Returns whether one of the contacts is staged. */
export async function areStaged(clickhouse: ClickHouse, table: string, numbers: readonly number[]): Promise<boolean> {
  const [row] = await clickhouse.query<{ rows: number }>(touchedStatement(table), { numbers });
  return row !== undefined && row.rows > 0;
}
