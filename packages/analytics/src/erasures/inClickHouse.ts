import { hash } from "node:crypto";
import type { ClickHouse } from "@headwater/clickhouse/clickhouse";
import type { Erasure } from "@headwater/records/erasures/erasures";

const DELETE_TIMEOUT_MS = 120_000;
/** Ids in one statement. */
const IDS_AT_A_TIME = 1_000;

const OF_CONTACT = "contact IN {numbers: Array(UInt64)}";
/** Every table that holds something of a contact, and how its rows are found. */
const ofNumbers = {
  activities: OF_CONTACT,
  contacts_current: OF_CONTACT,
  contact_fields_current: OF_CONTACT,
  contact_fields_history: OF_CONTACT,
  contact_aliases: `(${OF_CONTACT} OR survivor IN {numbers: Array(UInt64)})`,
  memberships_current: OF_CONTACT,
  memberships_history: OF_CONTACT,
  orders_current: OF_CONTACT,
  orders_history: OF_CONTACT,
  carts_current: OF_CONTACT,
  carts_history: OF_CONTACT,
  supplement_records_current: OF_CONTACT,
  supplement_records_history: OF_CONTACT,
  exported_contacts: OF_CONTACT,
} as const;
const TABLES = Object.keys(ofNumbers);

/**
 * Deletes all rows of the contact, and those of its orders and records that belonged to another one before. Deleting twice is
 * deleting once. Rows are gone for every query at once; their bytes when `maskRows` was called and `bytesLeft` says so.
 * ClickHouse keeps the text of each statement: ids stand there as hashes.
 */
export async function deleteInClickHouse(clickhouse: ClickHouse, erasure: Erasure): Promise<void> {
  const { account, numbers, orders, records } = erasure;
  const run = (table: string, condition: string, params: object) =>
    clickhouse.command(
      `DELETE FROM ${table} WHERE account = {account: UInt32} AND ${condition}`,
      { account, ...params },
      { timeoutMs: DELETE_TIMEOUT_MS },
    );
  for (const [table, condition] of Object.entries(ofNumbers)) await run(table, condition, { numbers });
  for (const hashes of chunks(orders.map(hashOf))) {
    for (const table of ["orders_current", "orders_history"]) await run(table, isHashed("order_id"), { hashes });
  }
  for (const [supplement, own] of Map.groupBy(records, ([of]) => of)) {
    for (const hashes of chunks(own.map(([, id]) => hashOf(id)))) {
      const condition = `supplement = {supplement: UInt32} AND ${isHashed("id")}`;
      for (const table of ["supplement_records_current", "supplement_records_history"]) {
        await run(table, condition, { supplement, hashes });
      }
    }
  }
}

/**
 * Rewrites the parts that hold deleted rows without them: a delete alone hides rows, and their bytes stay until some merge, which may
 * never come. Returns at once; parts without deleted rows are left alone.
 */
export async function maskRows(clickhouse: ClickHouse): Promise<void> {
  for (const table of TABLES) {
    await clickhouse.command(`ALTER TABLE ${table} APPLY DELETED MASK`, {}, { settings: { mutations_sync: "0" } });
  }
}

const mutationsQuery = `SELECT count() AS left FROM system.mutations
  WHERE database = currentDatabase() AND table IN {tables: Array(String)} AND NOT is_done`;
const partsQuery = `SELECT count() AS left FROM system.parts
  WHERE database = currentDatabase() AND table IN {tables: Array(String)} AND NOT active
    AND remove_time <= toDateTime({since: UInt32})`;

/** Returns whether a rewriting of parts that was asked for is under way. */
export async function isRewriting(clickhouse: ClickHouse): Promise<boolean> {
  const [row] = await clickhouse.query<{ left: number }>(mutationsQuery, { tables: TABLES });
  return row === undefined || row.left > 0;
}

/** Makes ClickHouse search for replaced parts now: left alone, it does so every 30 to 300 s. */
export async function dropOldParts(clickhouse: ClickHouse): Promise<void> {
  for (const table of TABLES) await clickhouse.command(`SYSTEM START CLEANUP ${table}`);
}

/** Returns whether parts that were replaced up to `since` (seconds of ClickHouse's clock) are still on its disk. */
export async function areOldPartsLeft(clickhouse: ClickHouse, since: number): Promise<boolean> {
  const [row] = await clickhouse.query<{ left: number }>(partsQuery, { tables: TABLES, since });
  return row === undefined || row.left > 0;
}

/** ClickHouse's clock in seconds. */
export async function clickHouseSeconds(clickhouse: ClickHouse): Promise<number> {
  const [row] = await clickhouse.query<{ now: number }>("SELECT toUnixTimestamp(now()) AS now");
  if (row === undefined) throw new Error("a query for one row answers one");
  return row.now;
}

function isHashed(column: string): string {
  return `lower(hex(SHA256(${column}))) IN {hashes: Array(String)}`;
}

function hashOf(id: string): string {
  return hash("sha256", id, "hex");
}

function* chunks(ids: readonly string[]): Generator<readonly string[]> {
  for (let from = 0; from < ids.length; from += IDS_AT_A_TIME) yield ids.slice(from, from + IDS_AT_A_TIME);
}
