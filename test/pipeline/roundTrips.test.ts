import { isFinalJob } from "@headwater/contracts";
import fc from "fast-check";
import { describe, expect, vi } from "vitest";
import { test } from "./sharedStack.ts";
import type { Caller, Stack } from "./stack.ts";

let stack: Stack;
test.beforeAll(async ({ stack: shared }) => {
  stack = shared;
});

/** A failure names it; ROUND_TRIP_SEED repeats it, ROUND_TRIP_ROWS makes more rows. */
const { env } = process;
const seed = Number(env.ROUND_TRIP_SEED ?? Math.floor(Math.random() * 1_000_000));
const ROWS = Number(env.ROUND_TRIP_ROWS ?? 60);
const PAGE = 100;
const PRODUCT = "round-";

const hard = [
  '"',
  "a\r\nb",
  ",",
  ";",
  "=1+1",
  "+49 228 12345",
  "@a",
  "'",
  "'=1",
  "''@a",
  "-a",
  "\\",
  "\u2028",
  "é\u0301😀",
  "007",
  "true",
  "1e3",
];
const text = fc.oneof(
  fc.constantFrom(...hard),
  fc.string({ unit: "grapheme", minLength: 1, maxLength: 12 }).map(storable),
);
/** Texts that spell arrays and objects. */
const json = fc.constantFrom('["a"]', "[1, 2]", '{"city": "Rome"}', "{}", "[]");
const number = fc.oneof(
  fc.constantFrom(0, 0.1, -1.5, 1e21, 1e-7, 9_007_199_254_740_991),
  fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e12, max: 1e12 }).map((value) => value + 0),
);
const flag = fc.boolean();
const tags = fc.array(text, { minLength: 1, maxLength: 3 });
/** Items that Parquet has texts for. */
const items = fc.array(fc.oneof(text, number, flag), { minLength: 1, maxLength: 3 });
const home = fc.record({ city: text, country: fc.constantFrom("DE", "FR") });
const day = fc.date({ min: new Date("1950-01-01"), max: new Date("2030-01-01"), noInvalidDate: true }).map(dayOf);
const some = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined, freq: 4 });

/** Postgres and validation refuse NUL and lone surrogates; texts of blanks alone count as empty. */
function storable(input: string): string {
  const existing = input.replaceAll("\0", "").toWellFormed().trim();
  return existing === "" ? "x" : existing;
}

function dayOf(at: Date): string {
  return at.toISOString().slice(0, 10);
}

const declared = { name: "string", score: "number", vip: "boolean", tags: "array", home: "geo", born: "date" } as const;
const attributes = fc.record({
  ...{ name: some(text), score: some(number), vip: some(flag), tags: some(items), home: some(home), born: some(day) },
  free: some(fc.oneof(text, number, flag, tags, home, json)),
});
const properties = fc.dictionary(fc.constantFrom("colour", "size", "depth"), fc.oneof(text, number, flag, tags));
const money = fc.integer({ min: 0, max: 10_000_000 }).map((cents) => (cents / 100).toFixed(2));
const line = fc.record({
  productID: text,
  sku: text,
  name: text,
  itemPrice: money,
  qty: fc.integer({ min: 1, max: 9 }),
});
const order = fc.record({
  ...{ purchaseDate: fc.constantFrom("2026-01-09T22:47:12Z", "2025-03-30T01:30:00Z"), status: text, tax: money },
  ...{ items: fc.array(line, { minLength: 1, maxLength: 3 }), properties },
});
const product = fc.record({ productName: text, price: some(money), tags: some(tags), properties });
const record = fc.record({ model: text, seats: some(number), extras: some(tags), used: some(flag) });

const sample = <Value>(value: fc.Arbitrary<Value>) => fc.sample(value, { numRuns: ROWS, seed });
const linesOf = (rows: readonly object[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join("");
const emailOf = (n: number) => `round${n}@example.com`;

async function upload({ connection, key }: Caller, bytes: string | Uint8Array, name = "file"): Promise<string> {
  const answer = await fetch(`${connection.serviceUrl}/v2/uploads?name=${encodeURIComponent(name)}`, {
    method: "POST",
    headers: { authorization: `Basic ${Buffer.from(`${key}:`).toString("base64")}` },
    body: typeof bytes === "string" ? bytes : Uint8Array.from(bytes),
  });
  return Object(await answer.json()).url;
}

async function ended(caller: Caller, path: string, body: object): Promise<ReturnType<typeof JSON.parse>> {
  const started = await caller.post(`/v2/${path}`, body);
  if (started.status !== 202) throw new Error(JSON.stringify(started.body));
  const job = async () => (await caller.get(`/v2/jobs/${started.body.jobId}`)).body;
  await vi.waitFor(async () => expect(isFinalJob((await job()).status)).toBe(true), { timeout: 60_000, interval: 100 });
  return job();
}

async function imported(caller: Caller, path: string, bytes: string | Uint8Array, more: object = {}) {
  const job = await ended(caller, path, { source: { transport: "file", path: await upload(caller, bytes) }, ...more });
  const rejections = (await caller.get(`/v2/jobs/${job.id}/rejections`)).body.data;
  return { seed, status: job.status, result: job.result, rejections };
}

const all = (counts: object) => ({
  seed,
  status: "Done",
  result: { totalRecords: ROWS, inserted: 0, updated: 0, ignored: 0, rejected: 0, error: 0, ...counts },
  rejections: [],
});

/** The time of a product's last write is no value of it. */
function withoutTimes(row: object): object {
  return { ...row, lm: undefined };
}

/** Everything on the pages of a path, oldest or newest first. */
async function pagesOf(caller: Caller, path: string): Promise<object[]> {
  const rows: object[] = [];
  for (let page = 1; ; page += 1) {
    const { body } = await caller.get(`${path}?per_page=${PAGE}&page=${page}`);
    rows.push(...body.data);
    if (body.data.length < PAGE) return rows;
  }
}

describe("what was exported changes nothing when it is imported", () => {
  test("contacts with values of every type, as csv, lines of JSON and Parquet", { timeout: 240_000 }, async () => {
    const caller = await stack.caller("round trip of contacts");
    for (const [key, type] of Object.entries(declared))
      expect((await caller.write("/v2/accountcontactattributes", { key, name: key, type })).status).toBe(201);
    const rows = sample(attributes).map((own, n) => ({
      ...{ email: emailOf(n), identifiers: { loyalty: `L${n}` }, attributes: own },
      channels: n % 2 === 0 ? { sms: { subscribeStatus: "subscribed", subscribedAt: "2026-03-05" } } : {},
    }));
    expect(await imported(caller, "contactimports", linesOf(rows))).toEqual(all({ inserted: ROWS }));
    const marked = await ended(caller, "contactexports", { fields: "*", name: "people" });
    expect(marked).toMatchObject({ status: "Done", totalItems: ROWS });
    const { name, url } = marked.metadata.files[0];
    const people = await (await fetch(`${caller.connection.serviceUrl}${url}`)).bytes();
    const options = { hasHeader: true, formulaSafe: true };
    expect(["default csv", await imported(caller, "contactimports", people, options)]).toEqual([
      "default csv",
      all({ ignored: ROWS }),
    ]);
    for (const uploaded of [name, "renamed.csv"]) {
      const known = { source: { transport: "file", path: await upload(caller, people, uploaded) }, hasHeader: true };
      expect([uploaded, await ended(caller, "contactimports", known)]).toMatchObject([
        uploaded,
        {
          ...{ status: "Done", result: { ignored: ROWS, updated: 0, rejected: 0 } },
          metadata: { detected: { formulaSafe: true } },
        },
      ]);
    }
    for (const exportType of ["csv", "jsonl", "parquet"]) {
      const done = await ended(caller, "contactexports", { fields: "*", exportType, formulaSafe: false });
      expect(done).toMatchObject({ status: "Done", totalItems: ROWS });
      const file = await (await fetch(`${caller.connection.serviceUrl}${done.metadata.files[0].url}`)).bytes();
      const back = await imported(caller, "contactimports", file, exportType === "csv" ? { hasHeader: true } : {});
      expect([exportType, back]).toEqual([exportType, all({ ignored: ROWS })]);
    }
  });

  test("orders, products and supplement records, as their pages show them", { timeout: 240_000 }, async () => {
    const caller = await stack.caller("round trip of records");
    const people = Array.from({ length: 5 }, (_, n) => ({ email: emailOf(n), attributes: { n } }));
    await imported(caller, "contactimports", linesOf(people));
    const orders = sample(order).map((own, n) => ({ orderID: `o${n}`, email: emailOf(n % people.length), ...own }));
    expect(await imported(caller, "ordersimport", linesOf(orders))).toEqual(all({ inserted: ROWS }));
    const exported = async (more: object) => {
      const done = await ended(caller, "ordersexport", { exportType: "jsonl", ...more });
      expect(done).toMatchObject({ jobName: "ExportOrders", status: "Done" });
      const file = await (await fetch(`${caller.connection.serviceUrl}${done.metadata.files[0].url}`)).text();
      return { done, file, rows: file.split("\n").flatMap((one) => (one === "" ? [] : [JSON.parse(one)])) };
    };
    const whole = await exported({});
    expect(whole.rows.map(({ orderID }) => orderID).toSorted()).toEqual(
      orders.map(({ orderID }) => orderID).toSorted(),
    );
    const stored = (await caller.get("/v2/orders/o1")).body;
    const { status, totalAmount, tax, cID } = whole.rows.find(({ orderID }) => orderID === "o1") ?? {};
    expect([status, totalAmount, tax, cID]).toEqual([stored.status, stored.totalAmount, stored.tax, stored.cID]);
    const first = await imported(caller, "ordersimport", whole.file);
    expect(first).toMatchObject({ status: "Done", result: { inserted: 0, rejected: 0, error: 0 } });
    expect(await imported(caller, "ordersimport", whole.file)).toEqual(all({ ignored: ROWS }));
    const products = sample(product).map((own, n) => ({ productID: `${PRODUCT}${n}`, ...own }));
    expect(await imported(caller, "productimports", linesOf(products))).toEqual(all({ inserted: ROWS }));
    const table = { key: "cars", name: "Cars", indexes: [{ field: "model", type: "string" }] };
    expect((await caller.write("/v2/supplements", table)).status).toBe(201);
    const records = sample(record).map((own, n) => ({ id: `c${n}`, ...own }));
    expect(await imported(caller, "supplements/cars/imports", linesOf(records))).toEqual(all({ inserted: ROWS }));
    const isMine = (one: object) => Object.values(one).some((value) => String(value).startsWith(PRODUCT));
    for (const [path, read, isAsked] of [
      ["ordersimport", "/v2/orders", () => true],
      ["productimports", "/v2/products", isMine],
      ["supplements/cars/imports", "/v2/supplements/cars/records", () => true],
    ] as const) {
      const pages = async () => (await pagesOf(caller, read)).filter(isAsked);
      const listed = await pages();
      expect([path, listed.length]).toEqual([path, ROWS]);
      // Another spelling of an instant or an amount is stored, and shown as before.
      const first = await imported(caller, path, linesOf(listed));
      expect([path, first]).toMatchObject([
        path,
        { seed, status: "Done", result: { inserted: 0, rejected: 0, error: 0 } },
      ]);
      expect([path, (await pages()).map(withoutTimes)]).toEqual([path, listed.map(withoutTimes)]);
      expect([path, await imported(caller, path, linesOf(listed))]).toEqual([path, all({ ignored: ROWS })]);
    }
    const { watermark } = (await exported({})).done.metadata;
    expect((await caller.write("/v2/orders/o1", { status: "sent" }, { method: "PUT" })).status).toBe(200);
    expect((await caller.delete("/v2/orders/o2")).status).toBe(200);
    const increment = await exported({ since: watermark.token });
    expect(increment.rows.map(({ orderID, status, deleted }) => [orderID, status, deleted]).toSorted()).toMatchObject([
      ["o1", "sent", false],
      ["o2", null, true],
    ]);
  });
});
