import { hash } from "node:crypto";
import { formatDecimal } from "@headwater/contracts";
import { emailOf, toContactBody, toCustomers } from "./customers.ts";
import type { Line } from "./lines.ts";
import { toCompleteListBodies, toListBodies } from "./lists.ts";

/** Events in one body of `createContactactivities`. */
const EVENTS_MAX = 100;

/** A batch for the intake API. */
export interface IntakeRequest {
  /** `/api/upsertContact/batch` and its like. */
  readonly path: string;
  readonly body: string;
  /** Records that the service will account for: a contact, an order, an activity, a membership each. */
  readonly records: number;
  /** The same for the same chunk in every run: sent twice, it is applied once. */
  readonly idempotencyKey: string;
}

/** The data set as requests. Contacts go first; what is about them may go side by side; the last list after all else. */
export interface Requests {
  readonly contacts: readonly IntakeRequest[];
  readonly aboutContacts: readonly IntakeRequest[];
  readonly completion: readonly IntakeRequest[];
  readonly customers: number;
}

const ITEMS_MAX = 1_000;
const ORDERS_MAX = 100;
/** Far below the 10,000 of a request, so that progress can be seen and no request takes long. */
const RECORDS_MAX = 2_000;

export function toRequests(lines: readonly Line[]): Requests {
  const customers = toCustomers(lines);
  const one = (body: object): Item => ({ body, records: 1 });
  const contacts = customers.map((customer) => one(toContactBody(customer)));
  const orders = toOrderBodies(lines).map(one);
  const activities = toActivitiesBodies(lines).map(({ body, events }) => ({ body, records: events }));
  const toItem = ({ body, contacts: records }: { readonly body: object; readonly contacts: number }) => ({
    body,
    records,
  });
  return {
    contacts: toBatches("upsertContact", contacts, ITEMS_MAX),
    aboutContacts: [
      ...toBatches("upsertOrder", orders, ORDERS_MAX),
      ...toBatches("createContactactivities", activities, ITEMS_MAX),
      ...toBatches("addContactsToList", toListBodies(customers).map(toItem), ITEMS_MAX),
    ],
    completion: toBatches("addContactsToList", toCompleteListBodies(customers).map(toItem), ITEMS_MAX),
    customers: customers.length,
  };
}

interface Item {
  readonly body: object;
  readonly records: number;
}

function toBatches(operation: string, items: readonly Item[], itemsMax: number): IntakeRequest[] {
  const batches: Item[][] = [];
  let capacity = { items: 0, records: 0 };
  for (const item of items) {
    if (capacity.items < 1 || capacity.records < item.records) {
      batches.push([]);
      capacity = { items: itemsMax, records: RECORDS_MAX };
    }
    batches.at(-1)?.push(item);
    capacity = { items: capacity.items - 1, records: capacity.records - item.records };
  }
  return batches.map((batch) => {
    const records = batch.reduce((sum, item) => sum + item.records, 0);
    return toRequest(
      operation,
      batch.map((item) => item.body),
      records,
    );
  });
}

/** Makes a batch of the given bodies. @param records how many the service will account for. */
export function toRequest(operation: string, bodies: readonly object[], records: number): IntakeRequest {
  const body = JSON.stringify({ items: bodies });
  return {
    path: `/api/${operation}/batch`,
    body,
    records,
    idempotencyKey: `online-retail-${operation}-${hash("sha256", body, "hex").slice(0, 32)}`,
  };
}

/** The bodies of `upsertOrder`, one an invoice; a return is an order with negative lines under its own number and without a status, so that sums are net. */
export function toOrderBodies(lines: readonly Line[]): object[] {
  return [...Map.groupBy(lines, ({ invoice }) => invoice)].map(([invoice, own]) => toOrderBody(invoice, own));
}

function toOrderBody(invoice: string, lines: readonly Line[]): object {
  const times = lines.map(({ time }) => time).sort();
  const customer = lines[0]?.customer ?? "";
  return {
    contact: { identifiers: { email: emailOf(customer) } },
    order: {
      orderID: invoice,
      purchaseDate: times[0],
      currency: "GBP",
      customerID: customer,
      items: lines.map((line) => ({
        productID: line.stockCode,
        sku: line.stockCode,
        name: line.description,
        itemPrice: formatDecimal(line.price),
        qty: line.quantity,
      })),
    },
  };
}

interface ActivitiesBody {
  readonly body: object;
  readonly events: number;
}

/** Each line is an activity of its customer, `purchase` or `return`; up to 100 of them share a body. */
export function toActivitiesBodies(lines: readonly Line[]): ActivitiesBody[] {
  return [...Map.groupBy(lines, ({ customer }) => customer)].flatMap(([customer, own]) => {
    const contact = { identifiers: { email: emailOf(customer) } };
    const bodies: ActivitiesBody[] = [];
    for (let from = 0; from < own.length; from += EVENTS_MAX) {
      const some = own.slice(from, from + EVENTS_MAX);
      bodies.push({ body: { contact, contactactivities: some.map(toEvent) }, events: some.length });
    }
    return bodies;
  });
}

function toEvent(line: Line): object {
  return {
    name: line.isReturn ? "return" : "purchase",
    time: line.time,
    UID: `${line.invoice}-${line.place}`,
    properties: {
      invoice: line.invoice,
      stockCode: line.stockCode,
      description: line.description,
      qty: line.quantity,
      price: Number(formatDecimal(line.price)),
    },
  };
}
