import { systemClock } from "@headwater/kernel";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type MemoryStream, startMemoryStream } from "../intake/projector/memoryStream.ts";
import { type CallOptions, type Running, startService } from "../service/running.ts";
import { seedContacts } from "../service/seed.ts";

const ADA = "65f0c0ffee65f0c0ffee0001";
const BOB = "65f0c0ffee65f0c0ffee0002";
const HOUR = 3_600_000;

let service: Running;
let stream: MemoryStream;
let key: string;
let otherKey: string;

beforeAll(async () => {
  service = await startService();
  stream = await startMemoryStream({ store: service.postgres, drop: async () => undefined });
  await seedContacts(service.postgres, stream.account, [
    { number: 1_001, cid: ADA, identifiers: { email: "ada@example.com", customer_id: "1" } },
    { number: 1_002, cid: BOB, identifiers: { email: "bob@example.com" } },
  ]);
  key = await service.key(stream.account, { scopes: ["orders:read", "orders:write"] });
  const other = await service.account();
  otherKey = await service.key(other.account, { scopes: ["read", "write", "admin"] });
});

afterAll(() => service.stop());

const call = (
  method: CallOptions["method"] & string,
  url: string,
  body?: unknown,
  more: { as?: string; match?: string } = {},
) =>
  service.call(more.as ?? key, url, {
    method,
    ...(body !== undefined && { body }),
    ...(more.match !== undefined && { headers: { "if-match": more.match } }),
  });
const get = (id: string) => call("GET", `/v2/orders/${id}`);
const heart = { productID: "h", sku: "h", name: "Heart", itemPrice: "2.55", qty: 6 };
const post = (orderID: string, members: object = {}) =>
  call("POST", "/v2/orders", { orderID, purchaseDate: "2026-01-09T22:47:12Z", cID: ADA, items: [heart], ...members });
const changes = async () => {
  const text = "SELECT payload FROM outbox WHERE topic = 'changes.orders' ORDER BY position";
  const rows = await service.postgres.query<{ payload: string }>({ text });
  return rows.flatMap(({ payload }): Record<string, unknown>[] => JSON.parse(payload).changes);
};
/** A record of the log. @param atMs when the broker took it. */
const intake = async (orderID: string, members: object = {}, atMs?: number) => {
  if (atMs !== undefined) stream.clock.advance(atMs - stream.clock.nowMs());
  const order = { orderID, purchaseDate: "2026-01-09", items: [{ ...heart, itemPrice: "9" }], ...members };
  const record = {
    id: `intake-${orderID}-${atMs ?? 0}:0:0`,
    receivedAt: 1,
    contact: { identifiers: { email: "bob@example.com" } },
    order,
  };
  stream.append("upsertOrder", [record]);
  await stream.apply();
};

describe("POST /v2/orders", () => {
  test("makes an order that reads show, with its total, ETag and a receipt", async () => {
    const created = await post("first", { tax: "0.1", status: "paid", colour: "ignored", suppressTriggers: true });
    expect([created.status, created.body]).toEqual([
      201,
      {
        success: true,
        orderID: "first",
        warnings: [expect.objectContaining({ path: "/colour", code: "unknown_member" })],
      },
    ]);
    const { body, headers } = await get("first");
    expect(body).toEqual({
      orderID: "first",
      cID: ADA,
      purchaseDate: "2026-01-09T22:47:12.000Z",
      status: "paid",
      currency: "USD",
      items: [{ ...heart, itemPrice: 2.55, amount: 15.3 }],
      tax: 0.1,
      totalAmount: 15.4,
      totalComputed: true,
    });
    expect(headers.etag).toBe(created.headers.etag);
    const read = await call("GET", `/v2/orders/first?after=${String(created.headers["headwater-receipt"])}`);
    expect(read.status).toBe(200);
    expect((await changes()).at(-1)).toMatchObject({ orderId: "first", total: "15.4" });
  });

  test.each([
    ["email", { cID: undefined, email: "ADA@example.com" }],
    ["another identifier", { cID: undefined, identifiers: { customer_id: 1 } }],
  ])("finds the contact by %s", async (name, whose) => {
    expect((await post(`by ${name}`, whose)).status).toBe(201);
    expect((await get(`by ${name}`)).body.cID).toBe(ADA);
  });

  test("is refused with a known orderID, also of many that come at once", async () => {
    const answers = await Promise.all(Array.from({ length: 6 }, () => post("raced")));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    const refused = answers.filter(({ status }) => status !== 201);
    for (const { status, body } of refused) expect([status, body.code]).toEqual([422, "ID_MUST_BE_UNIQUE"]);
    expect((await call("GET", "/v2/orders/raced", undefined, { as: otherKey })).status).toBe(404);
  });

  test("keeps every digit of money", async () => {
    const text = `{"orderID":"exact","purchaseDate":"2026-01-01","cID":"${ADA}","totalAmount":12345678901234.5678}`;
    expect((await service.call(key, "/v2/orders", { method: "POST", text })).status).toBe(201);
    expect((await get("exact")).text).toContain('"totalAmount":12345678901234.5678');
  });

  test.each([
    [{ cID: BOB.replace("0002", "0009") }, 404, "CONTACTS_CONTACT_NOT_FOUND", undefined],
    [{ cID: undefined }, 422, "VALIDATION_ERROR", "/cID"],
    [{ cID: undefined, email: " " }, 422, "VALIDATION_ERROR", "/email"],
    [{ purchaseDate: "soon" }, 422, "VALIDATION_ERROR", "/purchaseDate"],
    [{ items: [{ productID: "p", sku: "s" }] }, 422, "VALIDATION_ERROR", "/items/0/name"],
    [{ tax: "much" }, 422, "VALIDATION_ERROR", "/tax"],
    [{ discountApplication: { type: "percent", amount: 1 } }, 422, "VALIDATION_ERROR", "/discountApplication/type"],
    [{ items: [{ ...heart, attr: { a: { b: { c: { d: { e: {} } } } } } }] }, 422, "VALIDATION_ERROR", "/items/0/attr"],
  ])("refuses %j", async (members, status, code, path) => {
    const answer = await post("refused", members);
    expect([answer.status, answer.body.code, answer.body.details?.[0].path]).toEqual([status, code, path]);
    expect((await get("refused")).status).toBe(404);
  });
});

describe("PUT /v2/orders/{id}", () => {
  test("changes what is given, removes what is null, replaces items whole, moves it with a contact", async () => {
    await post("put", { status: "paid", tax: 1, storeID: "s1" });
    const put = await call("PUT", "/v2/orders/put", { status: "sent", tax: null, items: [{ ...heart, qty: 1 }] });
    expect([put.status, put.body]).toEqual([200, { success: true, orderID: "put" }]);
    const { body } = await get("put");
    expect(body).toMatchObject({ status: "sent", storeID: "s1", totalAmount: 2.55, cID: ADA });
    expect(body.tax).toBeUndefined();
    expect((await call("PUT", "/v2/orders/put", { email: "bob@example.com" })).status).toBe(200);
    expect((await get("put")).body).toEqual({ ...body, cID: BOB });
  });

  test("is refused when the order changed since the version that If-Match names", async () => {
    await post("matched");
    const match = String((await get("matched")).headers.etag);
    const first = await call("PUT", "/v2/orders/matched", { status: "a" }, { match });
    expect(first.status).toBe(200);
    const second = await call("PUT", "/v2/orders/matched", { status: "b" }, { match });
    expect([second.status, second.body.code]).toEqual([409, "VERSION_CONFLICT"]);
    expect((await call("DELETE", "/v2/orders/matched", undefined, { match })).status).toBe(409);
    const etag = String(first.headers.etag);
    expect((await call("DELETE", "/v2/orders/matched", undefined, { match: etag })).status).toBe(200);
  });

  test("answers 404 for what is not there or not ours, 422 for another id", async () => {
    expect((await call("PUT", "/v2/orders/none", {})).body.code).toBe("RECORD_NOT_FOUND");
    expect((await call("PUT", "/v2/orders/first", {}, { as: otherKey })).status).toBe(404);
    expect((await call("PUT", "/v2/orders/first", { email: "nobody@example.com" })).body.code).toBe(
      "CONTACTS_CONTACT_NOT_FOUND",
    );
    expect((await call("PUT", "/v2/orders/first", { orderID: "x" })).body.details[0].path).toBe("/orderID");
  });
});

describe("DELETE /v2/orders/{id}", () => {
  test("takes it out of every read, in ClickHouse as well", async () => {
    await post("gone", { email: "ada@example.com" });
    const total = async () => (await call("GET", "/v2/orders?return_count=true&per_page=500")).body;
    const before = await total();
    expect((await call("DELETE", "/v2/orders/gone")).body).toEqual({ success: true });
    expect((await get("gone")).status).toBe(404);
    const after = await total();
    expect(after.pagination.total).toBe(before.pagination.total - 1);
    expect(after.data).toHaveLength(before.data.length - 1);
    expect((await changes()).at(-1)).toMatchObject({ orderId: "gone", deleted: true });
    expect((await call("DELETE", "/v2/orders/gone")).body.code).toBe("RECORD_NOT_FOUND");
    expect((await call("PUT", "/v2/orders/gone", { status: "x" })).status).toBe(404);
  });

  test("holds against older records of the log, not against newer ones and not against POST", async () => {
    expect((await post("both")).status).toBe(201);
    expect((await call("DELETE", "/v2/orders/both")).body).toEqual({ success: true });
    await intake("both");
    expect((await get("both")).status).toBe(404);
    await intake("both", { status: "later" }, systemClock.nowMs() + HOUR);
    expect((await get("both")).body).toMatchObject({ cID: BOB, status: "later", totalAmount: 54 });
    expect((await call("DELETE", "/v2/orders/both")).body).toEqual({ success: true });
    expect((await post("both")).status).toBe(201);
    const { body } = await get("both");
    expect([body.cID, body.status, body.totalAmount]).toEqual([ADA, undefined, 15.3]);
  });
});

test("a record of the log and a write of /v2 end in the same order", async () => {
  const members = { status: "paid", items: [heart], tax: "1", properties: { gift: true } };
  await intake("by intake", { ...members, purchaseDate: "2026-01-09T22:47:12Z" });
  await post("by v2", { ...members, cID: BOB });
  const [one, other] = [(await get("by intake")).body, (await get("by v2")).body];
  expect({ ...one, orderID: "" }).toEqual({ ...other, orderID: "" });
});

describe("GET /v2/orders", () => {
  test("sorts by orderID, either way, through every page", async () => {
    const seen: string[] = [];
    let url: string | undefined = "/v2/orders?sort_by=orderID&sort_dir=asc&per_page=3";
    while (url !== undefined) {
      const answer = await call("GET", url);
      seen.push(...answer.body.data.map(({ orderID }: { orderID: string }) => orderID));
      url = /^<(.*)>; rel="next"$/.exec(String(answer.headers.link ?? ""))?.[1];
    }
    expect(seen.length).toBeGreaterThan(5);
    expect(seen).toEqual(seen.toSorted((a, b) => (a < b ? -1 : 1)));
    const turned = await call("GET", "/v2/orders?sort_by=orderID&per_page=500");
    expect(turned.body.data.map(({ orderID }: { orderID: string }) => orderID)).toEqual(seen.toReversed());
  });

  test("one order shows the members that fields names", async () => {
    expect((await call("GET", "/v2/orders/first?fields=orderID,status")).body).toEqual({
      orderID: "first",
      status: "paid",
    });
    expect((await call("GET", "/v2/orders/first?fields=colour")).status).toBe(400);
  });
});
