import type { ClickHouse } from "@headwater/clickhouse/clickhouse";
import type { Postgres } from "@headwater/postgres/connection/postgres";
import { fromRow } from "@headwater/records/contacts/contactDocument";
import { membersView } from "@headwater/records/contacts/membersView";
import { fromOrderRow, type OrderRow } from "@headwater/records/orders/orderDocument";

/** State of one account as either store shows it, in lines: equal when every change was emitted to ClickHouse. */
export type View = ReadonlySet<string>;

interface ContactLine {
  readonly number: number;
  readonly cid: string;
  readonly createdAt: number;
  readonly modifiedAt: number;
  readonly version: string;
  readonly mergedInto: number | null;
  readonly doc: string;
}

/** Writes a member as ClickHouse keeps it: strings as they are, all else as JSON. */
const textOf = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));

export async function visibleByPostgres(postgres: Postgres, account: number): Promise<View> {
  const contacts = await postgres.query<ContactLine>(
    {
      text: `SELECT number, cid, created_at AS "createdAt", modified_at AS "modifiedAt", version, merged_into AS "mergedInto", doc
        FROM contacts WHERE account = $1`,
    },
    [account],
  );
  const lines = contacts.flatMap((row) => {
    const { number, cid, createdAt, mergedInto } = row;
    if (mergedInto !== null) return [`contact ${number} ${cid} merged`, `alias ${number} ${mergedInto}`];
    const members = membersView(fromRow({ account, ...row }), row.version);
    const fields = [...members].map(([path, { value }]) => `field ${number} ${path} ${textOf(value)}`);
    return [`contact ${number} ${cid} since ${createdAt}`, ...fields];
  });
  const memberships = await postgres.query<{ line: string }>(
    {
      text: `SELECT 'member ' || m.list || ' ' || m.contact || ' since ' || m.joined_at AS line
        FROM memberships m JOIN lists l ON l.account = m.account AND l.id = m.list
        WHERE m.account = $1 AND m.present AND m.version > COALESCE(l.cleared_version, '00000000-0000-0000-0000-000000000000')`,
    },
    [account],
  );
  return new Set([
    ...lines,
    ...memberships.map(({ line }) => line),
    ...(await ordersOf(postgres, account)),
    ...(await cartsOf(postgres, account)),
  ]);
}

async function ordersOf(postgres: Postgres, account: number): Promise<string[]> {
  const orders = await postgres.query<{ orderId: string; purchasedAt: number; contact: number; doc: string }>(
    {
      text: `SELECT order_id AS "orderId", purchased_at AS "purchasedAt", contact, doc FROM orders WHERE account = $1 AND NOT deleted`,
    },
    [account],
  );
  return orders.map(({ orderId, purchasedAt, contact, doc }) => {
    const row: OrderRow = { contact, doc };
    const { members } = fromOrderRow(orderId, row);
    return `order ${orderId} of ${contact} at ${purchasedAt} ${String(members.get("status")?.value ?? "")}`;
  });
}

async function cartsOf(postgres: Postgres, account: number): Promise<string[]> {
  const carts = await postgres.query<{ contact: number; lines: number }>(
    {
      text: `SELECT contact, json_array_length((doc::json)->'lines') AS lines FROM carts WHERE account = $1 AND (doc::json)->'lines'->0 IS NOT NULL`,
    },
    [account],
  );
  return carts.map(({ contact, lines }) => `cart of ${contact} ${lines} lines`);
}

export async function visibleByClickHouse(clickhouse: ClickHouse, clears: ReadonlyMap<number, string>): Promise<View> {
  const lines = async (sql: string) => {
    const rows = await clickhouse.query<{ line: string }>(`SELECT ${sql}`);
    return rows.map(({ line }) => line);
  };
  const ms = (column: string) => `toString(toUnixTimestamp64Milli(${column}))`;
  const members = await clickhouse.query<{ list: number; contact: number; since: number; version: string }>(
    `SELECT list, contact, toUnixTimestamp64Milli(joined_at) AS since, version FROM memberships_current FINAL WHERE present = 1`,
  );
  return new Set([
    ...(await lines(
      `concat('contact ', toString(contact), ' ', cid, if(deleted = 1, ' merged', concat(' since ', ${ms("created_at")}))) AS line
        FROM contacts_current FINAL`,
    )),
    ...(await lines(
      `concat('alias ', toString(contact), ' ', toString(survivor)) AS line FROM contact_aliases FINAL WHERE survivor != 0`,
    )),
    ...(await lines(
      `concat('field ', toString(contact), ' ', field, ' ', text) AS line FROM contact_fields_current FINAL WHERE kind != 'removed'`,
    )),
    ...(await lines(
      `concat('order ', order_id, ' of ', toString(if(a.survivor = 0, o.contact, a.survivor)), ' at ', ${ms("purchased_at")}, ' ', status) AS line
        FROM (SELECT * FROM orders_current FINAL WHERE deleted = 0) AS o
        LEFT JOIN (SELECT contact, survivor FROM contact_aliases FINAL) AS a ON a.contact = o.contact`,
    )),
    ...(await lines(
      `concat('cart of ', toString(contact), ' ', toString(lines), ' lines') AS line
        FROM carts_current FINAL WHERE deleted = 0 AND lines > 0`,
    )),
    ...members
      .filter(({ list, version }) => version > (clears.get(list) ?? ""))
      .map(({ list, contact, since }) => `member ${list} ${contact} since ${since}`),
  ]);
}

/** The fields and orders that the history shows of today's contacts: the latest version of each counts, whoever brought it. */
export async function visibleByHistory(clickhouse: ClickHouse): Promise<View> {
  const aliases = "(SELECT contact AS merged, survivor FROM contact_aliases FINAL) AS a";
  const fields = await clickhouse.query<{ line: string }>(
    `SELECT concat('field ', toString(owner), ' ', field, ' ', value.2) AS line FROM (
      SELECT if(a.survivor = 0, r.contact, a.survivor) AS owner, field, argMax((kind, text), version) AS value
      FROM contact_fields_history AS r LEFT ANY JOIN ${aliases} ON r.contact = a.merged GROUP BY owner, field
    ) WHERE value.1 != 'removed'`,
  );
  const orders = await clickhouse.query<{ line: string }>(
    `SELECT concat('order ', order_id, ' of ', toString(if(a.survivor = 0, o.contact, a.survivor)), ' at ',
        toString(toUnixTimestamp64Milli(latest.2)), ' ', latest.3) AS line
      FROM (SELECT order_id, latest, tupleElement(latest, 1) AS contact FROM (
        SELECT order_id, argMax((contact, purchased_at, status, deleted), (version, revision)) AS latest FROM orders_history GROUP BY order_id
      )) AS o LEFT JOIN ${aliases} ON a.merged = o.contact WHERE latest.4 = 0`,
  );
  return new Set([...fields, ...orders].map(({ line }) => line));
}
