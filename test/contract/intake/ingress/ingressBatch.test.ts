import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { addAccount, type Ingress, post, receiptOf, startIngress, type TestAccount } from "./ingressFixture.ts";

let ingress: Ingress;
let caller: TestAccount;
beforeAll(async () => {
  ingress = await startIngress();
  caller = await addAccount(ingress.database);
});
afterAll(() => ingress.stop());

const call = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  post(ingress.url, { path, key: caller.key, body, headers });

const person = (email: string) => ({ identifiers: { email }, attributes: { n: 1 }, canBeCreated: true });

describe("a batch", () => {
  const path = "/api/upsertContact/batch";
  const bad = { identifiers: {} };

  test("is judged item by item: a bad one is named and costs no neighbour", async () => {
    const answer = await call(path, { items: [person("a@example.com"), bad, person("b@example.com")] });
    expect(answer).toMatchObject({ status: 202, body: { accepted: 2, rejected: 1 } });
    expect(answer.body.items).toEqual([
      {
        index: 1,
        status: "rejected",
        code: "VALIDATION_ERROR",
        message: expect.any(String),
        path: "/identifiers",
        details: [{ path: "/identifiers", code: "required", message: expect.any(String) }],
      },
    ]);
    const records = await ingress.recordsOf(answer.body.requestId, 2);
    expect(records.map(({ id }) => id.split(":")[1])).toEqual(["0", "2"]);
  });

  test("lists every item when it is asked to be verbose", async () => {
    const answer = await call(`${path}?verbose=true`, [person("a@example.com"), bad]);
    expect(answer.body.items?.map(({ index, status }) => [index, status])).toEqual([
      [0, "accepted"],
      [1, "rejected"],
    ]);
  });

  test("a strict batch is refused whole for one bad item", async () => {
    const answer = await call(`${path}?strict=true`, [person("a@example.com"), bad]);
    expect(answer).toMatchObject({ status: 422, body: { code: "VALIDATION_ERROR", accepted: 0, rejected: 1 } });
    expect([answer.body.receipt, answer.body.items?.map(({ index }) => index)]).toEqual([undefined, [1]]);
    expect((await call(`${path}?strict=true`, [person("a@example.com")])).status).toBe(202);
  });

  test("of which no item is right is refused", async () => {
    const answer = await call(path, [bad, 7]);
    expect(answer).toMatchObject({ status: 422, body: { accepted: 0, rejected: 2 } });
  });

  test.each([
    ["an empty array", []],
    ["no items", {}],
    ["empty items", { items: [] }],
    ["items that are no array", { items: {} }],
    ["a number", 7],
    ["null", null],
  ])("with a broken envelope is refused: %s", async (_what, body) => {
    expect(await call(path, body)).toMatchObject({ status: 422, body: { accepted: 0, rejected: 0, items: [] } });
  });

  test("is taken as NDJSON: blank lines do not count, a line that is no JSON is refused alone", async () => {
    const lines = [
      JSON.stringify(person("a@example.com")),
      "",
      "{nonsense",
      "\r",
      JSON.stringify(person("b@example.com")),
    ];
    const answer = await call(path, `${lines.join("\n")}\n`, { "content-type": "application/x-ndjson" });
    expect(answer).toMatchObject({
      status: 202,
      body: { accepted: 2, rejected: 1, items: [{ index: 1, code: "INVALID_JSON_PROVIDED" }] },
    });
    const records = await ingress.recordsOf(answer.body.requestId, 2);
    expect(records.map(({ id }) => id.split(":")[1])).toEqual(["0", "2"]);
  });

  test("is taken as gzip", async () => {
    const body = gzipSync(JSON.stringify([person("gz@example.com")]));
    const answer = await call(path, body, { "content-encoding": "gzip" });
    expect(answer).toMatchObject({ status: 202, body: { accepted: 1 } });
  });

  test.each([
    ["gzip", "[]", { "content-encoding": "gzip" }],
    ["UTF-8", Buffer.from([0xff, 0x0a]), { "content-type": "application/x-ndjson" }],
  ])("says that nothing was accepted when it is not valid %s", async (_encoding, body, headers) => {
    expect(await call(path, body, headers)).toMatchObject({
      status: 422,
      body: { code: "INVALID_JSON_PROVIDED", accepted: 0, rejected: 0, items: [], details: [{ code: "bad_encoding" }] },
    });
  });

  test("names members nobody knows, with the item and the nearest name", async () => {
    const answer = await call(path, {
      items: [person("a@example.com"), { ...person("b@example.com"), atributes: {} }],
      itms: 1,
    });
    expect(answer.body.warnings).toEqual([
      { path: "/itms", code: "unknown_member", message: expect.any(String) },
      { index: 1, path: "/atributes", code: "unknown_member", message: expect.any(String), suggestion: "attributes" },
    ]);
  });

  test("is refused at 1,001 items, and taken at 1,000 with every item once in the log", async () => {
    const people = Array.from({ length: 1_001 }, (_, index) => person(`p${index}@example.com`));
    expect(await call(path, people)).toMatchObject({ status: 413, body: { limit: { what: "items", max: 1_000 } } });
    const answer = await call(path, people.slice(1));
    expect(answer).toMatchObject({ status: 202, body: { accepted: 1_000, rejected: 0, items: [] } });
    const records = await ingress.recordsOf(answer.body.requestId, 1_000);
    expect(new Set(records.map(({ id }) => id)).size).toBe(1_000);
  });

  test("refuses the item that is over 256 KiB, alone", async () => {
    const large = { identifiers: { email: "l@example.com" }, attributes: { text: "x".repeat(300 * 1024) } };
    const answer = await call(path, [person("a@example.com"), large, person("b@example.com")]);
    expect(answer).toMatchObject({
      status: 202,
      body: {
        accepted: 2,
        rejected: 1,
        items: [{ index: 1, code: "PAYLOAD_TOO_LARGE", limit: { what: "bytes", max: 262_144 } }],
      },
    });
  });

  test("of more than 10,000 records is refused", async () => {
    const event = { name: "browse", time: "2026-01-09" };
    const item = { contact: { identifiers: { email: "a@example.com" } }, contactactivities: Array(100).fill(event) };
    const answer = await call("/api/createContactactivities/batch", Array(101).fill(item));
    expect(answer).toMatchObject({ status: 413, body: { limit: { what: "records", max: 10_000 } } });
    expect((await call("/api/createContactactivities/batch", Array(100).fill(item))).status).toBe(202);
  });
});

describe("what is written", () => {
  test("an item of several events is as many records of one partition, the first with the attributes", async () => {
    const event = { name: "browse", time: "2026-01-09T22:47:12Z" };
    const contact = person("events@example.com");
    const answer = await call("/api/createContactactivities", {
      source: "shop",
      contact,
      contactactivities: [event, event],
    });
    const records = await ingress.recordsOf(answer.body.requestId, 2);
    expect(records).toMatchObject([
      { source: "shop", event, contact },
      { source: "shop", event, contact: { identifiers: contact.identifiers } },
    ]);
    expect(records[1]?.contact).not.toHaveProperty("attributes");
    expect(new Set(records.map(({ partition }) => partition)).size).toBe(1);
  });

  test("the same contact is always on one partition, whatever operation and spelling", async () => {
    const event = { name: "browse", time: "2026-01-09" };
    const answers = await Promise.all([
      call("/api/upsertContact", person("Same@Example.com ")),
      call("/api/createContactactivities", { contact: person("same@example.com"), contactactivities: [event] }),
      call("/api/addContactsToList", {
        identifiers: [{ "channels.email.address": "SAME@example.com" }],
        listName: "vip",
      }),
    ]);
    const partitions = answers.map((answer) => receiptOf(answer).parts.map(({ partition }) => partition));
    expect(new Set(partitions.flat()).size).toBe(1);
  });

  test("a decimal keeps the digits a double loses, and free-form numbers stay numbers", async () => {
    const items = [{ productID: "p", sku: "s", name: "n", qty: 1, properties: { tax: 1 } }];
    const text = JSON.stringify({
      contact: { identifiers: { email: "money@example.com" } },
      order: { orderID: "o-1", purchaseDate: "2026-01-09", items, totalAmount: 0, tax: "1.10" },
    })
      .replace('"totalAmount":0', '"totalAmount":12345678901234.5678')
      .replace('"tax":1}', '"tax":12345678901234.5678}');
    const answer = await call("/api/upsertOrder", text);
    const [record] = await ingress.recordsOf(answer.body.requestId, 1);
    expect(record?.order).toMatchObject({
      totalAmount: "12345678901234.5678",
      tax: "1.10",
      items: [{ properties: { tax: 12345678901234.568 } }],
    });
  });
});
