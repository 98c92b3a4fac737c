import type { ClickHouse, Erasure } from "@headwater/stores";

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
} as const;

/**
 * Deletes all rows of the contact, and those of its orders and records that belonged to another one before. Deleting twice is
 * deleting once. Rows are gone for every query at once; ClickHouse drops their bytes when it merges the parts they are in.
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
  for (const ids of chunks(orders)) {
    for (const table of ["orders_current", "orders_history"])
      await run(table, "order_id IN {ids: Array(String)}", { ids });
  }
  for (const [supplement, own] of Map.groupBy(records, ([of]) => of)) {
    for (const ids of chunks(own.map(([, id]) => id))) {
      const condition = "supplement = {supplement: UInt32} AND id IN {ids: Array(String)}";
      for (const table of ["supplement_records_current", "supplement_records_history"]) {
        await run(table, condition, { supplement, ids });
      }
    }
  }
}

function* chunks(ids: readonly string[]): Generator<readonly string[]> {
  for (let from = 0; from < ids.length; from += IDS_AT_A_TIME) yield ids.slice(from, from + IDS_AT_A_TIME);
}
