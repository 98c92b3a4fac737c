import type { ClickHouse } from "@headwater/clickhouse/clickhouse";
import { readFromCurrentReplica } from "@headwater/clickhouse/currentReplica";
import type { LostChanges } from "./lostChanges.ts";

const DELETE_TIMEOUT_MS = 300_000;
/** Keys in one statement. */
const KEYS_AT_A_TIME = 2_000;

/** The first place of a partition whose activities Postgres does not know. */
export interface ActivitiesBound {
  readonly lane: number;
  readonly generation: number;
  readonly partition: number;
  readonly from: number;
}

const above = `topic_generation = {generation: UInt16} AND lane = {lane: UInt8} AND partition = {partition: UInt16}
  AND log_offset >= {from: UInt64}`;

export async function countActivities(clickhouse: ClickHouse, bound: ActivitiesBound): Promise<number> {
  const sql = `SELECT count() AS rows FROM activities WHERE ${above}`;
  const query = { table: "activities", sql, params: { ...bound }, timeoutMs: DELETE_TIMEOUT_MS };
  return (await readFromCurrentReplica<{ rows: number }>(clickhouse, query)).rows;
}

/** Deletes the activities from a position on: they are written again when the log is read again. */
export async function withdrawActivities(clickhouse: ClickHouse, bounds: readonly ActivitiesBound[]): Promise<void> {
  for (const bound of bounds) {
    await clickhouse.command(`DELETE FROM activities WHERE ${above}`, { ...bound }, { timeoutMs: DELETE_TIMEOUT_MS });
  }
}

/** Column name and ClickHouse type of one part of a key, and its value. */
interface KeyColumn<Key> {
  readonly name: string;
  readonly type: string;
  readonly of: (key: Key) => string | number;
}

const account = { name: "account", type: "UInt32", of: (key: { readonly account: number }) => key.account };
const version = { name: "version", type: "String", of: (key: { readonly version: string }) => key.version };
const contact = { name: "contact", type: "UInt64", of: (key: { readonly contact: number }) => key.contact };
const number = { name: "contact", type: "UInt64", of: (key: { readonly number: number }) => key.number };
const list = { name: "list", type: "UInt32", of: (key: { readonly list: number }) => key.list };
const orderId = { name: "order_id", type: "String", of: (key: { readonly orderId: string }) => key.orderId };
const supplement = { name: "supplement", type: "UInt32", of: (key: { readonly supplement: number }) => key.supplement };
const id = { name: "id", type: "String", of: (key: { readonly id: string }) => key.id };

/**
 * Deletes what lost change events wrote: the present of everything they were about, for an earlier row may have been merged away
 * by the lost one, and the lost versions of its history. What Postgres holds of it is emitted again afterwards.
 */
export async function withdrawChanges(clickhouse: ClickHouse, lost: LostChanges): Promise<void> {
  for (const table of ["contacts_current", "contact_fields_current", "contact_aliases"]) {
    await deleteKeys(clickhouse, table, lost.contacts, [account, number]);
  }
  await deleteKeys(clickhouse, "contact_fields_history", lost.contactVersions, [account, contact, version]);
  await deleteBoth(clickhouse, "memberships", lost.memberships, [account, list, contact]);
  await deleteBoth(clickhouse, "orders", lost.orders, [account, orderId]);
  await deleteBoth(clickhouse, "carts", lost.carts, [account, contact]);
  await deleteBoth(clickhouse, "supplement_records", lost.records, [account, supplement, id]);
}

async function deleteBoth<Key extends { readonly version: string }>(
  clickhouse: ClickHouse,
  tables: string,
  keys: readonly Key[],
  columns: readonly KeyColumn<Key>[],
): Promise<void> {
  await deleteKeys(clickhouse, `${tables}_current`, keys, columns);
  await deleteKeys(clickhouse, `${tables}_history`, keys, [...columns, version]);
}

async function deleteKeys<Key>(
  clickhouse: ClickHouse,
  table: string,
  keys: readonly Key[],
  columns: readonly KeyColumn<Key>[],
): Promise<void> {
  const names = columns.map(({ name }) => name).join(", ");
  const arrays = columns.map(({ type }, index) => `{k${index}: Array(${type})}`).join(", ");
  for (let from = 0; from < keys.length; from += KEYS_AT_A_TIME) {
    const some = keys.slice(from, from + KEYS_AT_A_TIME);
    const params = Object.fromEntries(columns.map(({ of }, position) => [`k${position}`, some.map(of)]));
    // A set is hashed once; `has` would compare every row with every key.
    const sql = `DELETE FROM ${table} WHERE (${names}) IN arrayZip(${arrays})`;
    await clickhouse.command(sql, params, { timeoutMs: DELETE_TIMEOUT_MS });
  }
}

const greatestStatement = `SELECT
  greatest((SELECT max(contact) FROM contacts_current), (SELECT max(contact) FROM activities)) AS contact,
  greatest((SELECT max(revision) FROM contacts_current), (SELECT max(revision) FROM memberships_current),
    (SELECT max(revision) FROM orders_current), (SELECT max(revision) FROM carts_current),
    (SELECT max(revision) FROM supplement_records_current)) AS revision,
  greatest((SELECT max(account) FROM contacts_current), (SELECT max(account) FROM activities)) AS account`;

/** The greatest numbers that ClickHouse was given. */
export interface GreatestNumbers {
  readonly contact: number;
  readonly revision: number;
  readonly account: number;
}

export async function readGreatestNumbers(clickhouse: ClickHouse): Promise<GreatestNumbers> {
  const [row] = await clickhouse.query<GreatestNumbers>(greatestStatement, {}, { timeoutMs: DELETE_TIMEOUT_MS });
  return row ?? { contact: 0, revision: 0, account: 0 };
}
