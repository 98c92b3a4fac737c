import { type JobInput, type OrderColumn, orderColumns } from "@headwater/contracts";
import { type Bindings, createBindings } from "../bindings.ts";
import type { ColumnType, ExportColumn, StagedPart, Staging } from "../exportKind.ts";
import { pickColumns } from "../trends/pickColumns.ts";

type Input = JobInput<"ExportOrders">;
type OrdersStaging = Staging<Input>;

/** Contacts whose orders one statement reads: what bounds the memory of the join. */
const CONTACTS_AT_A_TIME = 100_000;

type Own = readonly [type: ColumnType, sql: string];

const text = (member: string): Own => ["text", `nullIf(JSONExtractString(o.document, '${member}'), '')`];
/** Amounts stand as texts of digits in the document. */
const money = (member: string): Own => [
  "money",
  `toDecimal64OrNull(replaceAll(JSONExtractRaw(o.document, '${member}'), '"', ''), 4)`,
];
const json = (type: "array" | "object", member: string): Own => [
  type,
  `nullIf(JSONExtractRaw(o.document, '${member}'), '')`,
];

/** Columns with the SQL of their staged values. `o` names the order, `c` its live contact. */
const columns: Readonly<Record<OrderColumn, Own>> = {
  orderID: ["id", "o.order_id"],
  cID: ["text", "nullIf(c.cid, '')"],
  purchaseDate: ["moment", "o.purchased_at"],
  status: text("status"),
  currency: text("currency"),
  totalAmount: ["money", "o.total"],
  totalComputed: ["boolean", "if(JSONExtractBool(o.document, 'totalComputed'), true, NULL)"],
  tax: money("tax"),
  shippingAndHandling: money("shippingAndHandling"),
  discountApplication: json("object", "discountApplication"),
  items: json("array", "items"),
  shippingAddress: json("object", "shippingAddress"),
  billingAddress: json("object", "billingAddress"),
  properties: json("object", "properties"),
  customerID: text("customerID"),
  storeID: text("storeID"),
  cartID: text("cartID"),
  mcID: text("mcID"),
  msID: text("msID"),
  linkID: text("linkID"),
  deleted: ["boolean", "o.deleted = 1"],
};

/** Stages a row for each order, contact by contact; of an increment those that were written since, deleted ones too. */
export async function stageOrders(staging: OrdersStaging): Promise<void> {
  const { input } = staging;
  const all = orderColumns.filter((name) => name !== "deleted" || input.since !== undefined);
  const typed = all.map((name) => ({ name, type: columns[name][0] }));
  const picked = pickColumns(typed, input.columnHeaders).columns;
  const part = await staging.part({ columns: picked });
  for (let after = -1; ; ) {
    const last = await nextSlice(staging, after);
    if (last === undefined) break;
    await insertSlice(staging, part, { picked, from: after + 1, to: last });
    after = last;
  }
}

/** Returns the last number of the next contacts with orders; undefined when there are no more. */
async function nextSlice({ clickhouse, account, signal }: OrdersStaging, after: number): Promise<number | undefined> {
  const sql = `SELECT max(contact) AS last, count() AS contacts FROM (SELECT DISTINCT contact FROM orders_current
    WHERE account = {account: UInt32} AND contact > {after: Int64} ORDER BY contact LIMIT ${CONTACTS_AT_A_TIME})`;
  const params = { account: account.number, after };
  const [row] = await clickhouse.query<{ last: number; contacts: number }>(sql, params, { signal });
  return row === undefined || Number(row.contacts) === 0 ? undefined : Number(row.last);
}

interface Slice {
  readonly picked: readonly ExportColumn[];
  /** Numbers of contacts, both included. */
  readonly from: number;
  readonly to: number;
}

async function insertSlice({ account, input }: OrdersStaging, part: StagedPart, slice: Slice): Promise<void> {
  const bindings = createBindings();
  const number = bindings.bind("UInt64", account.number);
  const [first, last] = [bindings.bind("UInt64", slice.from), bindings.bind("UInt64", slice.to)];
  const own = `account = ${number} AND contact >= ${first} AND contact <= ${last}`;
  const aliases = `SELECT contact, survivor FROM contact_aliases FINAL WHERE ${own} AND survivor > 0`;
  const live = `(contact >= ${first} AND contact <= ${last} OR contact IN (SELECT survivor FROM (${aliases})))`;
  const cells = slice.picked.map(({ field }, index) => `, ${cellOf(field)} AS staged${index}`).join("");
  const sql = `SELECT if(a.survivor > 0, a.survivor, o.contact) AS owner${cells}
    FROM (SELECT * FROM orders_current FINAL WHERE ${[own, ...conditions(input, bindings)].join(" AND ")}) AS o
    LEFT ANY JOIN (${aliases}) AS a ON a.contact = o.contact
    LEFT ANY JOIN (SELECT contact, cid FROM contacts_current FINAL WHERE account = ${number} AND ${live}) AS c
      ON c.contact = if(a.survivor > 0, a.survivor, o.contact)
    ORDER BY owner, o.purchased_at, o.order_id`;
  await part.insertSelect(sql, bindings.params);
}

function cellOf(field: string): string {
  const name = orderColumns.find((one) => one === field);
  if (name === undefined) throw new Error(`an export of orders has no column ${field}`);
  return columns[name][1];
}

function conditions({ timeframe, since }: Input, { bind, moment: instant }: Bindings): string[] {
  const where = since === undefined ? ["deleted = 0"] : [`revision > ${bind("UInt64", since.position)}`];
  if (timeframe !== undefined)
    where.push(`purchased_at >= ${instant(timeframe.from)}`, `purchased_at < ${instant(timeframe.to)}`);
  return where;
}
