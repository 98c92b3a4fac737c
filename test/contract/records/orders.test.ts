import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Running } from "../service/running.ts";
import { CID, MERGED, seedWorld, THEIRS, type World } from "../service/world.ts";

let service: Running;
let mine: World["mine"];
let other: World["other"];

beforeAll(async () => {
  ({ service, mine, other } = await seedWorld());
});

afterAll(() => service.stop());

const get = (url: string, key: string | undefined = mine.key) => service.call(key, url);

describe("GET /v2/orders/{id}", () => {
  test("shows totals and items, decimals as numbers of their own digits", async () => {
    const { status, body, text } = await get("/v2/orders/o00");
    expect(status).toBe(200);
    expect(body).toEqual({
      orderID: "o00",
      cID: CID,
      purchaseDate: "2026-01-09T22:47:12.000Z",
      status: "paid",
      currency: "EUR",
      items: [
        { productID: "p", sku: "s", name: "n", qty: -3, itemPrice: 0.1, amount: -0.3 },
        { productID: "q", sku: "t", name: "m", qty: 1, itemPrice: 2.5, salePrice: 2, amount: 2.5 },
      ],
      discountApplication: { type: "fixed", amount: 0.3 },
      totalDiscountAmount: 0.3,
      tax: 0.1,
      totalAmount: 1.5,
      totalComputed: true,
    });
    expect(text).toContain('"amount":-0.3}');
  });

  test("answers 404 for an order that is not there, and never another account's", async () => {
    const { status, body } = await get("/v2/orders/none");
    expect([status, body.code]).toEqual([404, "RECORD_NOT_FOUND"]);
    expect((await get("/v2/orders/%00")).status).toBe(404);
    expect((await get("/v2/orders/o01", other.key)).status).toBe(404);
    expect((await get("/v2/orders/o00", other.key)).body.cID).toBe(THEIRS);
  });
});

describe("GET /v2/orders", () => {
  const ids = (answer: { body: { data: { orderID: string }[] } }) => answer.body.data.map(({ orderID }) => orderID);

  test("pages by cursor and by page, the latest first, every order once", async () => {
    const seen: string[] = [];
    let url: string | undefined = "/v2/orders?per_page=7&return_count=true";
    while (url !== undefined) {
      const answer = await get(url);
      seen.push(...ids(answer));
      expect(answer.body.pagination).toMatchObject({ per_page: 7, total: 30, last_page: 5 });
      url = /^<(.*)>; rel="next"$/.exec(String(answer.headers.link ?? ""))?.[1];
      expect(url === undefined).toBe(answer.body.pagination.next_cursor === null);
    }
    const all = await get("/v2/orders?per_page=500");
    expect(seen).toEqual(ids(all));
    expect(new Set(seen).size).toBe(30);
    expect(seen[0]).toBe("o29");
    expect(ids(await get("/v2/orders?per_page=7&page=2"))).toEqual(seen.slice(7, 14));
    expect(ids(await get("/v2/orders?per_page=500&sort_dir=asc&sort_by=purchaseDate"))).toEqual(seen.toReversed());
  });

  test("gives the usual 25 and no total unless asked", async () => {
    const { body } = await get("/v2/orders");
    expect(body.data).toHaveLength(25);
    expect(Object.keys(body.pagination).sort()).toEqual(["next_cursor", "page", "per_page"]);
  });

  test.each([
    [`cID=${CID}`, 15],
    [`cID=${MERGED}`, 15],
    ["email=ADA@example.com", 15],
    [`email=ada@example.com&cID=${CID}`, 15],
    [`email=ada@example.com&cID=65f0c0ffee65f0c0ffee0004`, 0],
    ["email=nobody@example.com", 0],
    [`cID=${THEIRS}`, 0],
    ["purchaseDate=2026-01-09T22:47:12Z", 2],
    ["purchaseDate=2026-01-09", 2],
    ["purchaseDate=2026-01-10", 2],
    ["purchaseDate[gte]=2026-01-10", 28],
    ["purchaseDate[gt]=2026-01-10T22:47:12Z", 26],
    ["purchaseDate[gte]=2026-01-10T22:47:12Z", 28],
    ["purchaseDate[lt]=2026-01-10T22:47:12Z", 2],
    ["purchaseDate[lte]=2026-01-10T22:47:12Z&purchaseDate[gt]=2026-01-09T22:47:12Z", 2],
  ])("filters by %s", async (filter, count) => {
    const { status, body } = await get(`/v2/orders?per_page=100&return_count=true&${filter}`);
    expect([status, body.data.length, body.pagination.total]).toEqual([200, count, count]);
  });

  test("keeps the members that fields names", async () => {
    const { body } = await get("/v2/orders?per_page=1&fields=orderID,cID");
    expect(body.data).toEqual([{ orderID: "o29", cID: "65f0c0ffee65f0c0ffee0004" }]);
  });

  test.each([
    ["per_page=501", 422, "VALIDATION_ERROR", "out_of_range"],
    ["page=101&per_page=100", 422, "VALIDATION_ERROR", "use_cursor"],
    ["per_page=0", 400, "BAD_REQUEST", "out_of_range"],
    ["per_page=many", 400, "BAD_REQUEST", "type_mismatch"],
    ["page=1&cursor=x", 400, "BAD_REQUEST", "not_allowed"],
    ["cursor=nonsense", 400, "INVALID_CURSOR", undefined],
    ["sort_by=status", 400, "BAD_REQUEST", "bad_value"],
    ["sort_dir=up", 400, "BAD_REQUEST", "bad_value"],
    ["purchaseDate[gt]=soon", 400, "BAD_REQUEST", "bad_value"],
    ["purchaseDate[ne]=2026-01-09", 400, "BAD_REQUEST", "unknown_field"],
    ["fields=orderID,colour", 400, "BAD_REQUEST", "unknown_field"],
    ["return_count=maybe", 400, "BAD_REQUEST", "bad_value"],
    ["after=nonsense", 400, "BAD_REQUEST", "bad_value"],
    ["email=%00", 400, "BAD_REQUEST", "bad_value"],
    [
      `cursor=${Buffer.from('["orders","desc",{"purchasedAt":1,"orderId":"\\u0000"}]').toString("base64url")}`,
      400,
      "INVALID_CURSOR",
      undefined,
    ],
  ])("refuses %s", async (query, status, code, detail) => {
    const answer = await get(`/v2/orders?${query}`);
    expect([answer.status, answer.body.code, answer.body.details?.[0].code]).toEqual([status, code, detail]);
  });

  test("refuses a cursor of another list or direction", async () => {
    const lists = await get("/v2/accountlists?per_page=1");
    const cursor: string = lists.body.pagination.next_cursor;
    expect((await get(`/v2/orders?cursor=${cursor}`)).body.code).toBe("INVALID_CURSOR");
    const orders = await get("/v2/orders?per_page=1");
    const turned = await get(`/v2/orders?sort_dir=asc&cursor=${orders.body.pagination.next_cursor}`);
    expect([turned.status, turned.body.code]).toEqual([400, "INVALID_CURSOR"]);
  });

  test("never shows another account's orders", async () => {
    expect(ids(await get("/v2/orders", other.key))).toEqual(["o00"]);
  });
});
