import type { Account } from "@headwater/contracts";
import { loggedOperations } from "@headwater/intake/operations/registry";
import { retryOnConflict } from "@headwater/postgres/connection/writeConflict";
import { writeState } from "@headwater/records/writes/writeState";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { nowMs, type Running, startService } from "../service/running.ts";

let service: Running;
let account: Account;
let key: string;
let other: string;

beforeAll(async () => {
  service = await startService();
  ({ account } = await service.account({ timezone: "Europe/Berlin" }));
  key = await service.key(account, { scopes: ["supplements:read", "supplements:write"] });
  other = await service.key((await service.account()).account, { scopes: ["supplements:read", "supplements:write"] });
});
afterAll(() => service.stop());

const call = (method: "GET" | "POST" | "PUT" | "DELETE", path: string, body?: unknown, headers = {}) =>
  service.call(key, `/v2/supplements${path}`, { method, headers, ...(body !== undefined && { body }) });
const statusAndCode = ({ status, body }: Awaited<ReturnType<typeof call>>) => [status, body?.code];
const post = (path: string, body: unknown, headers?: object) => call("POST", path, body, headers);
const table = (name: string, more: object = {}) => post("", { key: name, indexes: [], ...more });
const get = async (path: string) => (await call("GET", path)).body;
const ids = async (path: string) => (await get(path)).data.map(({ id }: { id: string }) => id);

let sent = 0;

/** Applies a record as the projector would. */
function intake(name: string, members: object) {
  const operation = loggedOperations.find((candidate) => candidate.name === name);
  if (operation === undefined) throw new Error(`no operation ${name}`);
  const recordId = `seed${++sent}:0:0`;
  return retryOnConflict(() =>
    service.postgres.transaction((transaction) =>
      writeState({ transaction, nowMs: nowMs() }, account, {
        kind: "v2",
        recordId,
        fold: (state, origin) => operation.fold(state, { id: recordId, receivedAt: 0, ...members }, origin),
      }),
    ),
  );
}
const person = (identifiers: object) =>
  intake("upsertContact", { contact: { identifiers, attributes: { a: 1 }, canBeCreated: true } });

describe("tables", () => {
  test("are made, shown and listed in order of key, page by page", async () => {
    const indexes = [{ field: "model", type: "string" }];
    expect(await table("l-b", { name: "B", indexes, contactObject: true })).toMatchObject({
      status: 201,
      body: { success: true, key: "l-b" },
    });
    for (const name of ["l-c", "l-a"]) await table(name);
    const view = { key: "l-b", name: "B", indexes: [{ ...indexes[0], state: "ready" }], contactObject: true };
    expect(await get("/l-b")).toMatchObject({ ...view, autogenerateIDs: false });
    expect(await get("/l-b?fields=key,name")).toEqual({ key: "l-b", name: "B" });
    const first = await get("?per_page=2&return_count=true&fields=key");
    expect(first).toMatchObject({ data: [{ key: "l-a" }, { key: "l-b" }], pagination: { total: 3, last_page: 2 } });
    expect((await get(`?cursor=${first.pagination.next_cursor}`)).data).toMatchObject([{ key: "l-c" }]);
    expect((await get("?sort_dir=desc&fields=key")).data[0]).toEqual({ key: "l-c" });
  });

  test("have keys of their own, whoever makes them at once", async () => {
    const created = await Promise.all(Array.from({ length: 6 }, () => table("race")));
    expect(created.map(({ status }) => status).sort()).toEqual([201, 422, 422, 422, 422, 422]);
    expect(statusAndCode(await table("race"))).toEqual([422, "KEY_MUST_BE_UNIQUE"]);
    expect(statusAndCode(await table("subscriptions"))).toEqual([422, "KEY_MUST_BE_UNIQUE"]);
  });

  test.each([
    [{ indexes: [] }],
    [{ key: "bad", indexes: [{ field: "a", type: "text" }] }],
    [{ key: "bad" }],
    [{ key: "bad", indexes: [{ field: "id", type: "string" }] }],
    [
      {
        key: "bad",
        indexes: [
          { field: "a", type: "string" },
          { field: "a", type: "number" },
        ],
      },
    ],
  ])("are refused without a key or with indexes that cannot be: %j", async (body) => {
    expect(statusAndCode(await post("", body))).toEqual([422, "VALIDATION_ERROR"]);
  });

  test("of another account are unknown", async () => {
    await table("mine");
    for (const path of ["/mine", "/mine/records", "/mine/records/1", "/nothing", "/nothing/records"]) {
      const { status, body } = await service.call(other, `/v2/supplements${path}`);
      expect([path, status, body.code]).toEqual([path, 404, "RECORD_NOT_FOUND"]);
    }
    const write = { method: "POST", body: { id: "1" } } as const;
    expect((await service.call(other, "/v2/supplements/mine/records", write)).status).toBe(404);
    expect((await call("PUT", "/nothing", { name: "x" })).status).toBe(404);
  });

  test("change their name and indexes, never the type of one", async () => {
    await table("changes", { indexes: [{ field: "a", type: "string" }] });
    const refused = await call("PUT", "/changes", { indexes: [{ field: "a", type: "number" }] });
    expect(statusAndCode(refused)).toEqual([422, "TYPE_CHANGE_NOT_ALLOWED"]);
    await post("/changes/records", { id: "1", a: "x", b: 2 });
    expect((await call("PUT", "/changes", { name: "N", indexes: [{ field: "b", type: "number" }] })).body).toEqual({
      success: true,
      key: "changes",
    });
    const { name, indexes } = await get("/changes");
    expect([name, indexes]).toEqual(["N", [{ field: "b", type: "number", state: "ready" }]]);
    expect(await ids("/changes/records?b=2")).toEqual(["1"]);
    expect(statusAndCode(await call("GET", "/changes/records?a=x"))).toEqual([400, "BAD_REQUEST"]);
  });

  test("know when their data were written last", async () => {
    await table("dated");
    expect(await get("/dated")).not.toHaveProperty("lastDataUpdate");
    const before = nowMs();
    await post("/dated/records", { id: "1" });
    expect(Date.parse((await get("/dated")).lastDataUpdate)).toBeGreaterThanOrEqual(before - 1_000);
  });
});

describe("records", () => {
  test("are added, changed in part, read and deleted", async () => {
    await table("r");
    expect(await post("/r/records", { id: "1", a: 1, b: "x", suppressTriggers: true, ct: "no" })).toMatchObject({
      status: 201,
      body: { success: true, id: "1" },
      headers: { "headwater-receipt": expect.any(String) },
    });
    const { ct, lm, ...displayed } = await get("/r/records/1");
    expect([displayed, ct]).toEqual([{ id: "1", a: 1, b: "x" }, lm]);
    expect((await call("PUT", "/r/records/1", { b: null, c: [1], id: "1" })).status).toBe(200);
    expect(await get("/r/records/1?fields=id,a,b,c")).toEqual({ id: "1", a: 1, c: [1] });
    expect((await call("DELETE", "/r/records/1")).body).toEqual({ success: true });
    for (const method of ["GET", "DELETE"] as const) expect((await call(method, "/r/records/1")).status).toBe(404);
    expect((await call("PUT", "/r/records/1", { a: 1 })).status).toBe(404);
    expect((await post("/r/records", { id: "1", z: 1 })).status).toBe(201);
    expect(await get("/r/records/1?fields=a,z")).toEqual({ z: 1 });
  });

  test("are made once under one Idempotency-Key, and one id is one record", async () => {
    await table("once");
    const headers = { "idempotency-key": "k1" };
    const answers = [
      await post("/once/records", { id: "1" }, headers),
      await post("/once/records", { id: "1" }, headers),
    ];
    expect(answers.map(({ status }) => status)).toEqual([201, 201]);
    expect(statusAndCode(await post("/once/records", { id: "1" }))).toEqual([422, "ID_MUST_BE_UNIQUE"]);
    const race = await Promise.all(Array.from({ length: 6 }, () => post("/once/records", { id: "2" })));
    expect(race.filter(({ status }) => status === 201)).toHaveLength(1);
  });

  test("have ids of their own, or of their table", async () => {
    await table("given");
    await table("auto", { autogenerateIDs: true });
    const hex = "0123456789abcdef01234567";
    for (const body of [{}, { id: hex }, { id: "" }]) {
      expect(statusAndCode(await post("/given/records", body))).toEqual([422, "VALIDATION_ERROR"]);
    }
    const { body } = await post("/auto/records", { a: 1 });
    expect(body.id).toMatch(/^[0-9a-f]{24}$/);
    expect((await call("PUT", `/auto/records/${body.id}`, { a: 2 })).status).toBe(200);
    expect(await get(`/auto/records/${body.id}?fields=a`)).toEqual({ a: 2 });
    expect(statusAndCode(await post("/auto/records", { id: "mine" }))).toEqual([422, "VALIDATION_ERROR"]);
  });

  test("keep the types and bounds of their indexes", async () => {
    await table("typed", {
      indexes: [
        { field: "n", type: "number" },
        { field: "s", type: "string" },
      ],
    });
    const refused = await post("/typed/records", { id: "1", n: "many" });
    expect([...statusAndCode(refused), refused.body.details[0].path]).toEqual([422, "ATTRIBUTE_TYPE_MISMATCH", "/n"]);
    expect(statusAndCode(await post("/typed/records", { id: "1", s: "x".repeat(1_025) }))).toEqual([
      422,
      "VALIDATION_ERROR",
    ]);
    expect((await post("/typed/records", { id: "1", s: "x".repeat(1_024), n: null })).status).toBe(201);
    expect(statusAndCode(await call("PUT", "/typed/records/1", { n: true }))).toEqual([422, "ATTRIBUTE_TYPE_MISMATCH"]);
  });

  test("of a contact object belong to the contact that their contact has become", async () => {
    await person({ email: "ann@x.org" });
    await person({ customer_id: "7" });
    await table("cards", { contactObject: true });
    expect(statusAndCode(await post("/cards/records", { id: "0", email: "no@x.org" }))).toEqual([
      404,
      "CONTACTS_CONTACT_NOT_FOUND",
    ]);
    expect(statusAndCode(await post("/cards/records", { id: "0" }))).toEqual([422, "VALIDATION_ERROR"]);
    await post("/cards/records", { id: "1", email: "Ann@x.org" });
    const { cID: before } = await get("/cards/records/1");
    const merge = { destinationContact: { identifiers: { customer_id: "7" } } };
    expect(merge).toBeDefined();
    await intake("mergeContacts", {
      contact: { identifiers: { customer_id: "7" } },
      previous: { identifiers: { email: "ann@x.org" } },
    });
    const [{ cID: after, email }] = (await get("/cards/records")).data;
    expect([before, after, email]).toEqual([expect.any(String), expect.any(String), "Ann@x.org"]);
    expect(after).not.toBe(before);
  });

  test("records that intake wrote are the same records", async () => {
    await table("both");
    await intake("upsertSupplementsRecords", { supplement: "both", record: { id: "1", a: 1 } });
    await call("PUT", "/both/records/1", { b: 2 });
    await intake("upsertSupplementsRecords", { supplement: "both", record: { id: "1", c: 3 } });
    expect(await get("/both/records/1?fields=a,b,c")).toEqual({ a: 1, b: 2, c: 3 });
  });
});
