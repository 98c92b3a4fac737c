import type { Account } from "@headwater/contracts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Running, startService, storedTime } from "../service/running.ts";
import { versionAt } from "../service/seed.ts";

let service: Running;
let account: Account;
let key: string;
const SCOPES = {
  scopes: [
    "contacts:read",
    "audiences:read",
    "contacts:write",
    "accountcontactattributes:write",
    "accountcontactattributes:read",
    "accountlists:read",
    "accountlists:write",
  ],
};
const CITIES = ["Rome", "Oslo", "Rome", "Bonn", "Rome"];

/** Five contacts through the API, and the rows that the history group would have written of them. */
beforeAll(async () => {
  service = await startService();
  ({ account } = await service.account());
  key = await service.key(account, SCOPES);
  for (const [n, city] of CITIES.entries()) {
    const body = {
      channels: { email: { address: `c${n}@x.org` } },
      attributes: { city, n, odd: n % 2 === 1 },
      lists: { vip: n > 2 },
    };
    expect((await send("POST", "contacts", body)).status).toBe(201);
  }
  const rows = await service.postgres.query<{ number: number; cid: string }>({
    text: `SELECT number, cid FROM contacts WHERE account = ${account.number} ORDER BY number`,
  });
  const at = (n: number) => Date.parse("2026-01-01T00:00:00Z") + n * 86_400_000;
  const version = (n: number) => ({ version: versionAt(at(n)), revision: 1 });
  await service.insert(
    "contacts_current",
    account,
    rows.map(({ number, cid }, n) => ({
      contact: number,
      cid,
      created_at: storedTime(at(n)),
      modified_at: storedTime(at(n)),
      ...version(n),
      merged_into: 0,
      deleted: 0,
    })),
  );
  const field = (number: number, n: number, name: string, kind: string, text: string, value: number | null) => ({
    field: `attributes.${name}`,
    contact: number,
    kind,
    text,
    number: value,
    ...version(n),
  });
  await service.insert(
    "contact_fields_current",
    account,
    rows.flatMap(({ number }, n) => [
      field(number, n, "city", "string", CITIES[n] ?? "", null),
      field(number, n, "n", "number", String(n), n),
      field(number, n, "odd", "boolean", String(n % 2 === 1), null),
    ]),
  );
  await service.insert(
    "memberships_current",
    account,
    rows.flatMap(({ number }, n) =>
      n > 2 ? [{ list: 1, contact: number, present: 1, joined_at: storedTime(at(n)), ...version(n) }] : [],
    ),
  );
});
afterAll(() => service.stop());

const send = (method: "POST" | "PUT" | "DELETE", path: string, body?: unknown) =>
  service.call(key, `/v2/${path}`, { method, ...(body !== undefined && { body }) });
const get = (path: string) => service.call(key, `/v2/${path}`);
const numbersOf = (body: { data: { attributes: { n: number } }[] }) => body.data.map(({ attributes }) => attributes.n);
const search = async (query: string) => numbersOf((await get(`contacts?${query}`)).body);

describe("GET /v2/contacts", () => {
  test("pages through all in the order of creation, while others are made", async () => {
    const first = await get("contacts?per_page=2&fields=cID,attributes");
    expect([numbersOf(first.body), first.body.pagination.page, first.body.asOf]).toEqual([[0, 1], 1, undefined]);
    expect(Object.keys(first.body.data[0])).toEqual(["cID", "attributes"]);
    const second = await get(`contacts?per_page=2&cursor=${first.body.pagination.next_cursor}`);
    expect(numbersOf(second.body)).toEqual([2, 3]);
    expect(await search("per_page=2&page=3")).toEqual([4]);
    expect(await search("sort_dir=desc&per_page=2")).toEqual([4, 3]);
  });

  test("finds one by email and by cID", async () => {
    const { body } = await get("contacts?email=C1@X.org");
    expect(numbersOf(body)).toEqual([1]);
    expect(await search(`cID=${body.data[0].cID}`)).toEqual([1]);
    expect(await search(`cID=${body.data[0].cID}&email=c2@x.org`)).toEqual([]);
  });

  test("searches by attributes, lists and time of change; all must hold", async () => {
    expect(await search("attributes[city]=Rome")).toEqual([0, 2, 4]);
    expect(await search("attributes[city]=Rome&list=vip")).toEqual([4]);
    expect(await search("attributes[n]=3")).toEqual([3]);
    expect(await search("attributes[city]=Rome&email=c2@x.org")).toEqual([2]);
    expect(await search("lastModified[gte]=2026-01-04&lastModified[lt]=2026-01-05")).toEqual([3]);
    expect(await search("lastModified[gt]=2026-01-04T00:00:00Z")).toEqual([4]);
    expect(await search("lastModified[lte]=2026-01-02T00:00:00Z")).toEqual([0, 1]);
    expect(await search("attributes[city]=Paris")).toEqual([]);
  });

  test("pages and counts a search, with asOf", async () => {
    const first = await get("contacts?attributes[city]=Rome&per_page=2&return_count=true");
    expect([numbersOf(first.body), first.body.pagination.total, first.body.asOf]).toEqual([
      [0, 2],
      3,
      expect.any(String),
    ]);
    expect(String(first.headers.link)).toContain("attributes%5Bcity%5D=Rome");
    const cursor = first.body.pagination.next_cursor;
    expect(await search(`attributes[city]=Rome&per_page=2&cursor=${cursor}`)).toEqual([4]);
    expect(await search("attributes[city]=Rome&sort_dir=desc&per_page=2&page=2")).toEqual([0]);
    const back = (await get("contacts?attributes[city]=Rome&sort_dir=desc&per_page=2")).body;
    expect(await search(`attributes[city]=Rome&sort_dir=desc&cursor=${back.pagination.next_cursor}`)).toEqual([0]);
    expect((await get("contacts?return_count=true")).body.pagination.total).toBe(5);
  });

  test.each([
    ["colour=red", 400, "BAD_REQUEST"],
    ["attributes[]=1", 400, "BAD_REQUEST"],
    ["attributes[city]=a&attributes[city]=b", 400, "BAD_REQUEST"],
    ["fields=colour", 400, "BAD_REQUEST"],
    ["cursor=x", 400, "INVALID_CURSOR"],
    ["per_page=501", 422, "VALIDATION_ERROR"],
    ["lastModified[gt]=soon", 400, "BAD_REQUEST"],
    ["attributes[colour]=red", 422, "INVALID_AUDIENCE_RULES"],
    ["list=nope", 404, "ACCOUNT_LISTS_NOT_FOUND"],
    ["audience-key=nope", 404, "RECORD_NOT_FOUND"],
  ])("answers ?%s with %i %s", async (query, status, code) => {
    const answer = await get(`contacts?${query}`);
    expect([answer.status, answer.body.code]).toEqual([status, code]);
  });
});

describe("attributes", () => {
  const declare = (body: object) => send("POST", "accountcontactattributes", body);

  test("attributes that came up with a write are listed as auto, and are declared by it", async () => {
    expect((await get("accountcontactattributes?fields=key,type")).body.data).toContainEqual({
      key: "n",
      type: "auto",
    });
    const created = await declare({
      key: "n",
      name: "Number",
      type: "number",
      validators: { min: 0, max: 100 },
      index: true,
    });
    expect([created.status, created.body]).toEqual([201, { success: true, key: "n", notCast: 0 }]);
    expect((await get("accountcontactattributes/n")).body).toEqual({
      key: "n",
      name: "Number",
      type: "number",
      index: true,
      unique: false,
      validators: { min: 0, max: 100 },
      options: {},
      updateUnauthenticated: false,
      retainOnDestroy: null,
    });
    expect((await get("accountcontactattributes?type=number&indexed=true&return_count=true")).body).toMatchObject({
      data: [{ key: "n" }],
      pagination: { total: 1 },
    });
    const listed = async (query: string) => (await get(`accountcontactattributes?fields=key&${query}`)).body;
    const last = await listed("per_page=1&sort_dir=desc");
    const others = await listed(`per_page=500&sort_dir=desc&cursor=${last.pagination.next_cursor}`);
    expect([...last.data, ...others.data]).toEqual((await listed("per_page=500")).data.toReversed());
    const put = (body: object) => send("PUT", "contacts/c0@x.org", { attributes: body });
    expect((await put({ n: "7.5" })).body.attributes.n).toBe(7.5);
    const refused = await put({ n: "many" });
    expect([refused.status, refused.body.code, refused.body.details[0]]).toMatchObject([
      422,
      "ATTRIBUTE_TYPE_MISMATCH",
      { path: "/attributes/n", code: "type_mismatch" },
    ]);
    expect((await put({ n: 101 })).body.code).toBe("VALIDATION_ERROR");
    expect(await search("attributes[n]=3")).toEqual([3]);
    expect((await get("contacts?attributes[n]=many")).body.code).toBe("BAD_REQUEST");
    await put({ n: 0 });
  });

  test("attributes that do not cast are counted when they are declared, and read as missing", async () => {
    const before = await get("accountcontactattributes/city/values?as=number");
    const built = await declare({ key: "city", name: "City", type: "number" });
    expect(built.body).toEqual({ success: true, key: "city", notCast: 5 });
    expect(before).toMatchObject({ status: 200, body: { notCast: 5 } });
    expect((await get("contacts/c1@x.org")).body.attributes).not.toHaveProperty("city");
    expect((await get("accountcontactattributes/city/values")).body).toMatchObject({ data: [], missing: 5 });
    expect((await send("POST", "audiencecount", { field: "attributes.city", op: "exists" })).body.count).toBe(0);
  });

  test("of type geo are written member by member, arrays keep their newest items", async () => {
    await declare({ key: "home", name: "Home", type: "geo" });
    await declare({ key: "seen", name: "Seen", type: "array", options: { maxitems: 3 } });
    const put = async (attributes: object) => (await send("PUT", "contacts/c1@x.org", { attributes })).body;
    expect((await put({ home: { city: "Oslo", loc: { lat: 59.9, lon: 10.7 } } })).attributes.home.city).toBe("Oslo");
    const edited = await put({ "home.city": "Bergen", "home.loc": null, seen: [1, 2, 3, 4] });
    expect(edited.attributes).toMatchObject({ home: { city: "Bergen" }, seen: [2, 3, 4] });
    expect(Object.keys(edited.attributes)).not.toContain("home.city");
    expect((await put({ seen: { add: [5], remove: [3] } })).attributes.seen).toEqual([2, 4, 5]);
    expect((await put({ home: { planet: "Mars" } })).code).toBe("ATTRIBUTE_TYPE_MISMATCH");
    expect((await put({ "home.planet": "Mars" })).code).toBe("ATTRIBUTE_TYPE_MISMATCH");
    expect((await put({ seen: "five" })).code).toBe("ATTRIBUTE_TYPE_MISMATCH");
  });

  test("required attributes stand in every new contact and are never removed", async () => {
    const { account: other } = await service.account();
    const by = await service.key(other, SCOPES);
    const call = (method: "POST" | "PUT", path: string, body: object) =>
      service.call(by, `/v2/${path}`, { method, body });
    await call("POST", "accountcontactattributes", {
      key: "plan",
      name: "Plan",
      type: "string",
      validators: { required: true },
    });
    const contact = { channels: { email: { address: "r@x.org" } } };
    expect((await call("POST", "contacts", contact)).body.details[0]).toMatchObject({ path: "/attributes/plan" });
    expect((await call("POST", "contacts", { ...contact, attributes: { plan: "x" } })).status).toBe(201);
    expect((await call("PUT", "contacts/r@x.org", { attributes: { plan: null } })).status).toBe(422);
    expect((await call("PUT", "contacts/r@x.org", { attributes: { plan: "y".repeat(129) } })).status).toBe(422);
  });

  test("answer their most frequent values, and how many contacts have none", async () => {
    const { status, body } = await get("accountcontactattributes/odd/values?limit=1");
    expect([status, body]).toEqual([200, { data: [{ value: false, count: 3 }], missing: 0, asOf: expect.any(String) }]);
    expect((await get("accountcontactattributes/nope/values")).status).toBe(404);
  });

  test("are refused with a clear error", async () => {
    const refusals = [
      [await declare({ key: "n", name: "N", type: "string" }), "KEY_MUST_BE_UNIQUE"],
      [await declare({ key: "VIP", name: "V", type: "string" }), "KEY_MUST_BE_UNIQUE"],
      [await declare({ key: "a", name: "A", type: "colour" }), "VALIDATION_ERROR"],
      [await declare({ key: "a", name: "A", type: "string", unique: true }), "VALIDATION_ERROR"],
      [await declare({ key: "a", name: "A", type: "number", validators: { min: 2, max: 1 } }), "VALIDATION_ERROR"],
      [await send("PUT", "accountcontactattributes/n", { type: "string" }), "TYPE_CHANGE_NOT_ALLOWED"],
      [await send("PUT", "accountcontactattributes/n", { key: "m" }), "VALIDATION_ERROR"],
      [await send("PUT", "accountcontactattributes/nope", { name: "x" }), "RECORD_NOT_FOUND"],
      [await send("DELETE", "accountcontactattributes/nope"), "RECORD_NOT_FOUND"],
      [await get("accountcontactattributes/nope"), "RECORD_NOT_FOUND"],
    ] as const;
    expect(refusals.map(([{ body }]) => body.code)).toEqual(refusals.map(([, code]) => code));
    expect((await declare({ key: "customer_id", name: "Number", type: "string", unique: true })).status).toBe(201);
  });
});

describe("lists", () => {
  test("are made, renamed, read and deleted; an id is never used again", async () => {
    const result = await send("POST", "accountlists", { name: "spring", enhanced: true });
    expect([result.status, result.body]).toEqual([201, { success: true, id: 2 }]);
    expect((await send("PUT", "accountlists/2", { name: "Spring" })).body).toEqual({ success: true, id: 2 });
    expect((await get("accountlists/2")).body).toEqual({ id: 2, name: "Spring", enhanced: true });
    await send("PUT", "contacts/c0@x.org", { lists: ["spring"] });
    const joined = (await get("contacts/c0@x.org")).body;
    expect([joined.lists, Object.keys(joined.listJoinDate)]).toEqual([["Spring"], ["Spring"]]);
    expect((await send("DELETE", "accountlists/2")).body).toEqual({ success: true, jobId: expect.any(String) });
    expect((await get("contacts/c0@x.org")).body.lists).toEqual([]);
    expect((await send("POST", "accountlists", { name: "spring" })).body.id).toBe(3);
    expect((await get("contacts/c0@x.org")).body.lists).toEqual([]);
    expect((await get("accountlists?return_count=true")).body).toMatchObject({
      data: [{ id: 1 }, { id: 3 }],
      pagination: { total: 2 },
    });
  });

  test("are made once under one name, whoever comes at the same time", async () => {
    const made = await Promise.all(Array.from({ length: 8 }, () => send("POST", "accountlists", { name: "race" })));
    expect(made.map(({ status }) => status).sort()).toEqual([201, ...Array.from({ length: 7 }, () => 422)]);
  });

  test("are refused with a clear error", async () => {
    const refusals = [
      [await send("POST", "accountlists", { name: "VIP" }), "NAME_MUST_BE_UNIQUE"],
      [await send("POST", "accountlists", { name: "n" }), "NAME_MUST_BE_UNIQUE"],
      [await send("PUT", "accountlists/3", { name: "vip" }), "NAME_MUST_BE_UNIQUE"],
      [await send("POST", "accountlists", { name: "two words" }), "VALIDATION_ERROR"],
      [await send("POST", "accountlists", { name: "cID" }), "VALIDATION_ERROR"],
      [await send("POST", "accountlists", {}), "VALIDATION_ERROR"],
      [await send("PUT", "accountlists/99", { name: "x" }), "ACCOUNT_LISTS_NOT_FOUND"],
      [await send("DELETE", "accountlists/x"), "ACCOUNT_LISTS_NOT_FOUND"],
      [await get("accountlists/99"), "ACCOUNT_LISTS_NOT_FOUND"],
    ] as const;
    expect(refusals.map(([{ body }]) => body.code)).toEqual(refusals.map(([, code]) => code));
  });
});
