import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import type { Account } from "@headwater/contracts";
import { rootFolder } from "@headwater/infra";
import { ensureAttributes } from "@headwater/stores/attributes";
import { emailOf, toContactBody, toCustomers } from "../../../infra/demo/dataset/customers.ts";
import { type Line, parseLines } from "../../../infra/demo/dataset/lines.ts";
import { toListBodies } from "../../../infra/demo/dataset/lists.ts";
import { toOrderBodies } from "../../../infra/demo/dataset/orders.ts";
import { loadWorld } from "../service/audience/loadWorld.ts";
import type { OrderWrite, World } from "../service/audience/model.ts";
import type { Running } from "../service/running.ts";
import { seedLists } from "../service/seed.ts";

/** Moment at which all of it was written. */
const WRITTEN_AT = Date.UTC(2012, 0, 1);
const DATA = join(rootFolder, "infra/demo/data/online-retail-sample.csv.gz");
const ATTRIBUTES = ["country", "first_purchase", "last_purchase", "orders", "total_spent"] as const;

/** Stores the demo's data as `npm start` leaves them. */
export async function loadDemo({ postgres, clickHouse }: Running, account: Account): Promise<void> {
  const { lines } = parseLines(gunzipSync(readFileSync(DATA)).toString());
  const customers = toCustomers(lines);
  const numbers = new Map(customers.map(({ id }, place) => [emailOf(id), place + 1]));
  const numberOf = (customer: string) => numbers.get(emailOf(customer)) ?? 0;
  await ensureAttributes(
    postgres,
    ATTRIBUTES.map((key) => ({ account: account.number, key })),
    WRITTEN_AT,
  );
  const members = toListBodies(customers).map(({ body }) => membersOf(body, numbers));
  const ids = await seedLists(postgres, account, Object.fromEntries(members.map(({ name }) => [name, []])));
  const world: World = {
    contacts: customers.map((_, place) => ({
      number: place + 1,
      cid: (place + 1).toString(16).padStart(24, "0"),
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
    activities: lines.map((line) => activityOf(line, numberOf(line.customer))),
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
