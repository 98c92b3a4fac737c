import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type CallOptions, type Running, startService } from "../service/running.ts";

let service: Running;
let key: string;
let otherKey: string;

beforeAll(async () => {
  service = await startService();
  const mine = await service.account({ timezone: "Europe/Berlin" });
  key = await service.key(mine.account, { scopes: ["products:read", "products:write"] });
  const other = await service.account();
  otherKey = await service.key(other.account, { scopes: ["read", "write", "admin"] });
});

afterAll(() => service.stop());

const call = (method: CallOptions["method"] & string, url: string, body?: unknown, as = key) =>
  service.call(as, url, { method, ...(body !== undefined && { body }) });
const get = (id: string, as = key) => call("GET", `/v2/products/${id}`, undefined, as);
const heart = {
  productID: "85123A",
  productName: "White heart",
  price: "2.55",
  variants: [
    { sku: "w", qty: 3, attr: { colour: "white" } },
    { sku: "r", qty: -1 },
  ],
  sale: { enabled: true, price: 1.95, start: "2026-11-27" },
};

describe("POST /v2/products", () => {
  test("makes one, then changes it", async () => {
    const created = await call("POST", "/v2/products", heart);
    expect([created.status, created.body]).toEqual([201, { success: true, productID: "85123A" }]);
    const { body, text } = await get("85123A");
    expect(body).toEqual({
      ...heart,
      price: 2.55,
      sale: { enabled: true, price: 1.95, start: "2026-11-26T23:00:00.000Z" },
      enabled: false,
      totalQty: 2,
      ct: body.ct,
      lm: body.lm,
    });
    expect(text).toContain('"price":2.55,');
    const again = await call("POST", "/v2/products", {
      productID: "85123A",
      productName: "Heart",
      sale: null,
      enabled: true,
    });
    expect([again.status, again.body]).toEqual([200, { success: true, productID: "85123A" }]);
    const { sale: _, ...rest } = body;
    const after = (await get("85123A")).body;
    expect(after).toEqual({ ...rest, productName: "Heart", enabled: true, lm: after.lm });
  });

  test("takes an array, all or nothing, and says of each what it did", async () => {
    const products = ["b", "a", "b"].map((productID, at) => ({ productID, productName: `name ${at}` }));
    const { status, body } = await call("POST", "/v2/products", products);
    expect([status, body]).toEqual([
      201,
      {
        success: true,
        items: [
          { productID: "b", status: "created" },
          { productID: "a", status: "created" },
          { productID: "b", status: "updated" },
        ],
      },
    ]);
    expect((await get("b")).body.productName).toBe("name 2");
    expect((await call("POST", "/v2/products", products.slice(1))).status).toBe(200);
    const bad = await call("POST", "/v2/products", [{ productID: "fresh", productName: "f" }, { productID: "worse" }]);
    expect([bad.status, bad.body.details[0]]).toMatchObject([422, { path: "/1/productName", code: "required" }]);
    expect((await get("fresh")).status).toBe(404);
  });

  test("many that come at once in opposite orders all end well", async () => {
    const ids = Array.from({ length: 20 }, (_, at) => `raced ${at}`);
    const bodies = ids.map((_, at) =>
      (at % 2 === 0 ? ids : ids.toReversed()).map((productID) => ({ productID, productName: `${at}` })),
    );
    const answers = await Promise.all(bodies.map((body) => call("POST", "/v2/products", body)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(19);
  });

  test("keeps every digit of a price", async () => {
    const text = '{"productID":"exact","productName":"e","price":12345678901234.5678}';
    expect((await service.call(key, "/v2/products", { method: "POST", text })).status).toBe(201);
    expect((await get("exact")).text).toContain('"price":12345678901234.5678');
  });

  test.each([
    [{ productName: "n" }, "/productID", "required"],
    [{ productID: "p", productName: "" }, "/productName", "out_of_range"],
    [{ productID: "p", productName: "n", price: "much" }, "/price", "bad_value"],
    [{ productID: "p", productName: "n", price: 1e14 }, "/price", "bad_value"],
    [{ productID: "p", productName: "n", productType: "gadget" }, "/productType", "bad_value"],
    [{ productID: "p", productName: "n", variants: [{ sku: "a" }, { sku: "a" }] }, "/variants", "bad_value"],
    [{ productID: "p", productName: "n", sale: { start: "soon" } }, "/sale/start", "bad_value"],
    [
      { productID: "p", productName: "n", properties: { a: { b: { c: { d: { e: {} } } } } } },
      "/properties",
      "out_of_range",
    ],
    [[], "", "out_of_range"],
    [Array.from({ length: 501 }, () => ({ productID: "p", productName: "n" })), "", "too_many"],
  ])("refuses %j", async (body, path, code) => {
    const answer = await call("POST", "/v2/products", body);
    expect([answer.status, answer.body.code]).toEqual([422, "VALIDATION_ERROR"]);
    expect(answer.body.details[0]).toMatchObject({ path, code });
  });

  test("needs a key, and the scope to write", async () => {
    expect((await service.call(undefined, "/v2/products", { method: "POST", body: heart })).status).toBe(401);
    const { account } = await service.account();
    const reader = await service.key(account, { scopes: ["read"] });
    expect((await call("POST", "/v2/products", heart, reader)).status).toBe(403);
  });
});

describe("PUT /v2/products/{productID}", () => {
  test("changes what is given, removes what is null, leaves the rest; the same again writes nothing", async () => {
    await call("POST", "/v2/products", { ...heart, productID: "put", tags: ["a"] });
    const before = (await get("put")).body;
    const put = await call("PUT", "/v2/products/put", { price: 3, tags: null, productID: "put" });
    expect([put.status, put.body]).toEqual([200, { success: true, productID: "put" }]);
    const { tags: _, ...rest } = before;
    const after = (await get("put")).body;
    expect(after).toEqual({ ...rest, price: 3, lm: after.lm });
    expect((await call("PUT", "/v2/products/put", { price: "3.00", tags: null })).status).toBe(200);
    expect((await get("put")).body).toEqual(after);
  });

  test("answers 404 for what is not there or not ours, 422 for another id and no name", async () => {
    expect((await call("PUT", "/v2/products/none", { price: 1 })).body.code).toBe("RECORD_NOT_FOUND");
    expect((await call("PUT", "/v2/products/put", { price: 1 }, otherKey)).status).toBe(404);
    const moved = await call("PUT", "/v2/products/put", { productID: "other" });
    expect([moved.status, moved.body.details[0].path]).toEqual([422, "/productID"]);
    expect((await call("PUT", "/v2/products/put", { productName: null })).status).toBe(422);
  });
});

describe("DELETE /v2/products/{productID}", () => {
  test("takes it away, and a new one begins without what the old one had", async () => {
    await call("POST", "/v2/products", { ...heart, productID: "gone" });
    expect((await call("DELETE", "/v2/products/gone", undefined, otherKey)).status).toBe(404);
    expect((await call("DELETE", "/v2/products/gone")).body).toEqual({ success: true });
    expect((await get("gone")).body.code).toBe("RECORD_NOT_FOUND");
    expect((await call("DELETE", "/v2/products/gone")).status).toBe(404);
    expect((await call("PUT", "/v2/products/gone", { price: 1 })).status).toBe(404);
    expect((await call("POST", "/v2/products", { productID: "gone", productName: "new" })).status).toBe(201);
    const { productName, variants, totalQty } = (await get("gone")).body;
    expect({ productName, variants, totalQty }).toEqual({ productName: "new", variants: undefined, totalQty: 0 });
  });
});

describe("GET /v2/products", () => {
  let lister: string;
  const list = (query: string) => call("GET", `/v2/products?${query}`, undefined, lister);
  const idsOf = (answer: { body: { data: { productID: string }[] } }) => answer.body.data.map((one) => one.productID);

  beforeAll(async () => {
    const { account } = await service.account();
    lister = await service.key(account, { scopes: ["read", "write", "admin"] });
    for (const productID of ["d", "b", "x", "e", "a", "c"]) {
      await call("POST", "/v2/products", { productID, productName: productID }, lister);
    }
    await call("DELETE", "/v2/products/x", undefined, lister);
  });

  test("pages every product once, whatever is written meanwhile", async () => {
    const seen: string[] = [];
    let url: string | undefined = "/v2/products?per_page=2&return_count=true&fields=productID,lm";
    while (url !== undefined) {
      const answer = await call("GET", url, undefined, lister);
      seen.push(...idsOf(answer));
      expect(answer.body.pagination.total).toBe(5);
      await call("PUT", "/v2/products/d", { price: seen.length }, lister);
      url = /^<(.*)>; rel="next"$/.exec(String(answer.headers.link ?? ""))?.[1];
    }
    expect(seen.toSorted()).toEqual(["a", "b", "c", "d", "e"]);
  });

  test("sorts by id, either way, and never shows another account's", async () => {
    expect(idsOf(await list("sort_by=productID"))).toEqual(["a", "b", "c", "d", "e"]);
    expect(idsOf(await list("sort_by=productID&sort_dir=desc&per_page=2&page=2"))).toEqual(["c", "b"]);
    expect((await call("GET", "/v2/products", undefined, otherKey)).body.data).toEqual([]);
  });

  test.each(["sort_by=lm", "fields=colour", "cursor=x", "colour=red"])("refuses %s", async (query) => {
    expect((await list(query)).status).toBe(400);
  });
});

describe("GET /v2/products/{productID}", () => {
  test("answers 404 for what is not there or not ours", async () => {
    expect((await get("none")).body.code).toBe("RECORD_NOT_FOUND");
    expect((await get("85123A", otherKey)).status).toBe(404);
    expect((await get("%00")).status).toBe(404);
  });
});
