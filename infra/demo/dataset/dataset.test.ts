import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { toContactBody, toCustomers } from "./customers.ts";
import { parseLines } from "./lines.ts";
import { countryList, toListBodies } from "./lists.ts";
import { toActivitiesBodies, toOrderBodies, toRequests } from "./requests.ts";

const HEADER = "InvoiceNo,StockCode,Description,Quantity,InvoiceDate,UnitPrice,CustomerID,Country\n";
const CSV = `${HEADER}500,A1,"MUG, BLUE ",2,2010-12-05 10:00:00,0.1,7.0,France
501,B2,,600,2011-02-01 09:30:00,2.55,8.0,United Kingdom
500,C3,CUP,1,2010-12-05 10:01:00,0.2,7.0,France
C502,A1,"MUG, BLUE ",-1,2011-03-01 12:00:00,0.1,7.0,Spain
503,D4,BOX,1,2011-03-01 12:00:00,1.0,,United Kingdom
`;
const { lines, withoutCustomer } = parseLines(CSV);

test("lines without a customer are counted and left out; a line keeps its place in its invoice", () => {
  expect(withoutCustomer).toBe(1);
  expect(lines.map(({ invoice, place: position, customer }) => [invoice, position, customer])).toEqual([
    ["500", 1, "7"],
    ["501", 1, "8"],
    ["500", 2, "7"],
    ["C502", 1, "7"],
  ]);
});

test("a file of another shape is refused", () => {
  expect(() => parseLines("a,b\n1,2\n")).toThrow();
});

test("a customer becomes a contact with what the lines say, to the penny", () => {
  const [customer] = toCustomers(lines);
  expect(customer && toContactBody(customer)).toEqual({
    identifiers: { email: "customer-7@example.com", customer_id: "7" },
    canBeCreated: true,
    canBeUpdated: true,
    attributes: {
      channels: { email: { address: "customer-7@example.com" } },
      country: "Spain",
      first_purchase: "2010-12-05T10:00:00Z",
      last_purchase: "2010-12-05T10:01:00Z",
      orders: 1,
      total_spent: 0.3,
    },
  });
});

test("an invoice becomes an order of all its lines, a return one with negative lines under its own number", () => {
  const [first, , returned] = toOrderBodies(lines);
  expect(first).toMatchObject({
    contact: { identifiers: { email: "customer-7@example.com" } },
    order: {
      orderID: "500",
      purchaseDate: "2010-12-05T10:00:00Z",
      currency: "GBP",
      items: [
        { productID: "A1", name: "MUG, BLUE", itemPrice: "0.1", qty: 2 },
        { productID: "C3", itemPrice: "0.2", qty: 1 },
      ],
    },
  });
  expect(returned).toMatchObject({ order: { orderID: "C502", items: [{ qty: -1 }] } });
});

test("each line becomes an activity with an id that every run gives it again", () => {
  const [own] = toActivitiesBodies(lines);
  expect(own).toMatchObject({
    events: 3,
    body: {
      contactactivities: [
        { name: "purchase", time: "2010-12-05T10:00:00Z", UID: "500-1", properties: { stockCode: "A1", price: 0.1 } },
        { name: "purchase", UID: "500-2" },
        { name: "return", UID: "C502-1", properties: { qty: -1 } },
      ],
    },
  });
});

test("customers are listed by country and by spend", () => {
  expect(toListBodies(toCustomers(lines)).map(({ body }) => body)).toEqual([
    { listName: "country-spain", identifiers: [{ email: "customer-7@example.com" }] },
    { listName: "country-united-kingdom", identifiers: [{ email: "customer-8@example.com" }] },
    ...[100, 500, 1000].map((pounds) => ({
      listName: `spend-over-${pounds}`,
      identifiers: [{ email: "customer-8@example.com" }],
    })),
  ]);
  expect(countryList("Channel Islands")).toBe("country-channel-islands");
});

describe("the whole data set", () => {
  const file = new URL("../data/online-retail-sample.csv.gz", import.meta.url);
  const whole = parseLines(gunzipSync(readFileSync(file)).toString("utf8"));
  const requests = toRequests(whole.lines);

  test("has 30,000 lines, of which 28,000 name one of 3,569 customers", () => {
    expect([whole.lines.length, whole.withoutCustomer, requests.customers]).toEqual([28_000, 2_000, 3_569]);
  });

  test("names no line twice", () => {
    expect(new Set(whole.lines.map(({ invoice, place }) => `${invoice}-${place}`)).size).toBe(28_000);
  });

  test("becomes the same requests with the same keys in every run, none over the limits of the API", () => {
    const all = [...requests.contacts, ...requests.aboutContacts, ...requests.completion];
    const again = toRequests(whole.lines);
    expect([...again.contacts, ...again.aboutContacts, ...again.completion]).toEqual(all);
    expect(new Set(all.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(all.length);
    for (const { path, body, records } of all) {
      expect(JSON.parse(body).items.length).toBeLessThanOrEqual(path.includes("upsertOrder") ? 100 : 1_000);
      expect(records).toBeLessThanOrEqual(10_000);
      expect(Buffer.byteLength(body)).toBeLessThan(10 * 1024 * 1024);
    }
  });
});
