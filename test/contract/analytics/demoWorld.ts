import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { type Account, formatDecimal, timesCount } from "@headwater/contracts";
import { ensureAttributes } from "@headwater/records/attributes/postgres";
import { createSupplement } from "@headwater/records/supplements/supplements";
import { emailOf, toContactBody, toCustomers } from "../../../infra/demo/dataset/customers.ts";
import { type Line, parseLines } from "../../../infra/demo/dataset/lines.ts";
import { toListBodies } from "../../../infra/demo/dataset/lists.ts";
import { toOrderBodies } from "../../../infra/demo/dataset/requests.ts";
import { rootFolder } from "../../../infra/src/index.ts";
import { loadWorld } from "../audiences/evaluator/loadWorld.ts";
import type { OrderWrite, World } from "../audiences/evaluator/model.ts";
import type { Running } from "../service/running.ts";
import { seedLists } from "../service/seed.ts";

/** Instant at which all of it was written. */
const WRITTEN_AT = Date.UTC(2012, 0, 1);
const DATA = join(rootFolder, "infra/demo/data/online-retail-sample.csv.gz");
const ATTRIBUTES = ["country", "first_purchase", "last_purchase", "orders", "total_spent"] as const;

/** Stores the demo's data as `npm start` leaves them, with the carts, records and messages that the page on audiences makes of them. */
export async function loadDemo({ postgres, clickHouse }: Running, account: Account): Promise<void> {
  const { lines } = parseLines(gunzipSync(readFileSync(DATA)).toString());
  const customers = toCustomers(lines);
  const numbers = new Map(customers.map(({ id }, index) => [emailOf(id), index + 1]));
  const numberOf = (customer: string) => numbers.get(emailOf(customer)) ?? 0;
  await ensureAttributes(
    postgres,
    ATTRIBUTES.map((key) => ({ account: account.number, key })),
    WRITTEN_AT,
  );
  const members = toListBodies(customers).map(({ body }) => membersOf(body, numbers));
  const ids = await seedLists(postgres, account, Object.fromEntries(members.map(({ name }) => [name, []])));
  const world: World = {
    contacts: customers.map((_, position) => ({
      number: position + 1,
      cid: (position + 1).toString(16).padStart(24, "0"),
      createdAt: WRITTEN_AT,
      modifiedAt: WRITTEN_AT,
      deleted: false,
    })),
    aliases: new Map(),
    lists: [...ids].map(([name, id]) => ({ id, name })),
    fields: customers.flatMap((customer, place) => fieldsOf(toContactBody(customer), place + 1)),
    memberships: members.flatMap(({ name, contacts }) =>
      contacts.map((contact) => {
        return { list: ids.get(name) ?? 0, contact, present: true, joinedAt: WRITTEN_AT, at: WRITTEN_AT };
      }),
    ),
    orders: toOrderBodies(lines).map((body) => orderOf(body, numberOf)),
    activities: [
      ...lines.map((line) => activityOf(line, numberOf(line.customer))),
      ...messageActivities(lines, { account, numberOf }),
    ],
    carts: cartsOf(lines, numberOf),
    records: recordsOf(lines, { numberOf, table: await createReturns(postgres, account) }),
  };
  await loadWorld(clickHouse, account.number, world);
}

function membersOf(body: object, numbers: ReadonlyMap<string, number>) {
  const { listName, identifiers } = { listName: "", identifiers: [], ...body };
  const contacts = identifiers.map(({ email }) => numbers.get(email) ?? 0);
  return { name: listName, contacts };
}

function fieldsOf(body: object, contact: number): World["fields"] {
  const { attributes } = { attributes: {}, ...body };
  return ATTRIBUTES.map((key) => {
    return { contact, field: `attributes.${key}`, value: Reflect.get(attributes, key), at: WRITTEN_AT };
  });
}

interface DemoOrder {
  readonly orderID: string;
  readonly purchaseDate: string;
  readonly currency: string;
  readonly customerID: string;
  readonly items: readonly { readonly itemPrice: string; readonly qty: number }[];
}

function orderOf(body: object, numberOf: (customer: string) => number): OrderWrite {
  const { order }: { order: DemoOrder } = JSON.parse(JSON.stringify(body));
  const items = order.items.map((item) => ({ ...item }));
  const total = items.reduce((sum, { itemPrice, qty }) => sum + Math.round(Number(itemPrice) * 10_000) * qty, 0);
  return {
    orderId: order.orderID,
    contact: numberOf(order.customerID),
    purchasedAt: Date.parse(order.purchaseDate),
    status: "",
    currency: order.currency,
    total: BigInt(total),
    items,
    properties: {},
    deleted: false,
    at: WRITTEN_AT,
  };
}

function activityOf(line: Line, contact: number): World["activities"][number] {
  const { invoice, place, stockCode, description, quantity: qty } = line;
  return {
    contact,
    action: line.isReturn ? "return" : "purchase",
    time: Date.parse(line.time),
    ingested: WRITTEN_AT,
    uid: `${invoice}-${place}`,
    mcId: "",
    properties: { invoice, stockCode, description, qty },
  };
}

type NumberOf = (customer: string) => number;

/** The cart of a customer holds the lines of their last invoice, and was changed last when that was written. */
function cartsOf(lines: readonly Line[], numberOf: NumberOf): NonNullable<World["carts"]> {
  const purchases = lines.filter(({ isReturn }) => !isReturn);
  return [...Map.groupBy(purchases, ({ customer }) => customer)].map(([customer, own]) => {
    const last = own.reduce((latest, line) => (timeAndInvoice(line) > timeAndInvoice(latest) ? line : latest));
    const bought = own.filter(({ invoice }) => invoice === last.invoice);
    return {
      contact: numberOf(customer),
      cartId: last.invoice,
      expiresAt: null,
      total: bought.reduce((sum, { price, quantity }) => sum + timesCount(price, quantity), 0n),
      items: bought.map(({ stockCode, quantity: qty }) => ({ productID: stockCode, sku: stockCode, qty })),
      at: Date.parse(last.time),
    };
  });
}

function timeAndInvoice({ time, invoice }: Line): string {
  return `${time} ${invoice}`;
}

/** @returns the number of the table. */
async function createReturns(postgres: Running["postgres"], { number: account }: Account): Promise<number> {
  const rules = { indexes: [], contactObject: true, autogenerateIDs: false, createdAt: WRITTEN_AT };
  const table = await createSupplement(postgres, { account, key: "returns", ...rules });
  if (table === undefined) throw new Error("the account has a table of that key already");
  return table.id;
}

/** Each returned line is a record of its customer. */
function recordsOf(
  lines: readonly Line[],
  { numberOf, table }: { readonly numberOf: NumberOf; readonly table: number },
): NonNullable<World["records"]> {
  const returned = lines.filter(({ isReturn }) => isReturn);
  return returned.map(({ invoice, place, customer, stockCode, quantity, price }) => ({
    ...{ table, id: `${invoice}-${place}`, contact: numberOf(customer), deleted: false, at: WRITTEN_AT },
    fields: { stockCode, qty: -quantity, price: Number(formatDecimal(price)) },
  }));
}

const MESSAGE = "65f0c0ffee65f0c0ffee0e10";
const SENT_AT = Date.UTC(2011, 9, 1, 9);
const OCTOBER = "2011-10";
const FIRST_WEEK_ENDS = "2011-10-08";

/**
 * The message `autumn-sale` went to every customer on 1 October 2011. Who bought something in that month opened it then, who did so in its first
 * week clicked as well, and a machine opened it for each customer in Germany.
 */
function messageActivities(
  lines: readonly Line[],
  { account, numberOf }: { readonly account: Account; readonly numberOf: NumberOf },
): World["activities"] {
  const activity = (
    customer: string,
    action: string,
    time: number,
    properties: World["activities"][number]["properties"] = {},
  ) => {
    const contact = numberOf(customer);
    const mcId = [account.id, MESSAGE, "b", contact.toString(16).padStart(24, "0"), 1].join(":");
    return { contact, action, time, ingested: WRITTEN_AT, uid: `${action}-${customer}-${time}`, mcId, properties };
  };
  const customers = new Set(lines.map(({ customer }) => customer));
  const germans = new Set(lines.filter(({ country }) => country === "Germany").map(({ customer }) => customer));
  const bought = lines.filter(({ isReturn, time }) => !isReturn && time.startsWith(OCTOBER));
  return [
    ...[...customers].map((one) =>
      activity(one, "message-sent", SENT_AT, { messageKey: "autumn-sale", channel: "email" }),
    ),
    ...bought.map(({ customer, time }) => activity(customer, "open", Date.parse(time))),
    ...bought
      .filter(({ time }) => time < FIRST_WEEK_ENDS)
      .map(({ customer, time }) => activity(customer, "click", Date.parse(time))),
    ...[...germans].map((one) => activity(one, "open", SENT_AT + 1_000, { machine: true })),
  ];
}
