import type { Account } from "@headwater/contracts";
import { loggedOperations } from "@headwater/intake/operations/registry";
import { retryOnConflict } from "@headwater/postgres/connection/writeConflict";
import { writeState } from "@headwater/records/writes/writeState";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type CallOptions, nowMs, type Running, startService } from "../service/running.ts";

let service: Running;
let account: Account;
let key: string;
const SCOPES = {
  scopes: ["contacts:read", "contacts:write", "accountlists:write", "accountlists:read", "receipts:read"],
};

beforeAll(async () => {
  service = await startService();
  ({ account } = await service.account());
  key = await service.key(account, SCOPES);
});
afterAll(() => service.stop());

const send = (method: "POST" | "PUT" | "DELETE", path: string, body?: unknown, headers: CallOptions["headers"] = {}) =>
  service.call(key, `/v2/${path}`, { method, headers, ...(body !== undefined && { body }) });
const read = (path: string, by = key) => service.call(by, `/v2/${path}`);
const email = (address: string, members: object = {}) => ({ channels: { email: { address, ...members } } });
let written = 0;

/** Applies a record of an operation, as the projector would. */
function apply(name: string, members: object) {
  const operation = loggedOperations.find((one) => one.name === name);
  if (operation === undefined) throw new Error(`no operation ${name}`);
  const recordId = `seed${++written}:0:0`;
  const record = { id: recordId, receivedAt: 0, ...members };
  return retryOnConflict(() =>
    service.postgres.transaction((transaction) =>
      writeState({ transaction, nowMs: nowMs() }, account, {
        kind: "v2",
        recordId,
        fold: (state, origin) => operation.fold(state, record, origin),
      }),
    ),
  );
}

describe("POST /v2/contacts", () => {
  test("as many at a time as there are callers: none waits for a connection that another one holds", async () => {
    const busy = await service.account();
    const busyKey = await service.key(busy.account, SCOPES);
    const calls = Array.from({ length: 64 }, (_, n) =>
      service.call(busyKey, "/v2/contacts", { method: "POST", body: email(`busy.${n}@x.org`) }),
    );
    const statuses = (await Promise.all(calls)).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([201]));
  });

  test("creates a contact, answers it and a receipt, and it can be read back at once", async () => {
    const body = {
      ...email(" Ada@Example.com ", { subscribeStatus: "subscribed" }),
      attributes: { country: "GB", spent: 12.5, tags: ["a"] },
      lists: { vip: true, news: false },
    };
    const created = await send("POST", "contacts", body);
    expect(created.status).toBe(201);
    expect(created.body).toMatchObject({
      identifiers: { email: "ada@example.com" },
      channels: { email: { subscribeStatus: "subscribed" } },
      attributes: body.attributes,
      lists: ["vip"],
    });
    expect(created.headers["headwater-receipt"]).toEqual(expect.any(String));
    const found = await read(`contacts/ada@example.com?after=${created.headers["headwater-receipt"]}`);
    expect(found.body).toEqual(created.body);
    expect(found.headers.etag).toBe(created.headers.etag);
  });

  test("writes to the contact that its primary key finds: absent is left, null removes, edits edit", async () => {
    await send("POST", "contacts", { ...email("p@x.org"), attributes: { a: 1, b: 2, tags: ["x", "y"] } });
    const { status, body } = await send("POST", "contacts", {
      ...email("p@x.org"),
      attributes: { b: null, tags: { add: ["z"], remove: ["x"] } },
      lists: ["vip"],
    });
    expect([status, body.attributes, body.lists]).toEqual([200, { a: 1, tags: ["y", "z"] }, ["vip"]]);
  });

  test("finds by the keys of identifyBy when no primary key does", async () => {
    const first = await send("POST", "contacts", {
      channels: { sms: { address: "+49 228 1" } },
      attributes: { customer_id: 7 },
    });
    const again = await send("POST", "contacts", {
      ...email("seven@x.org"),
      attributes: { customer_id: "7" },
      identifyBy: ["customer_id"],
    });
    expect([again.status, again.body.cID]).toEqual([200, first.body.cID]);
    expect(again.body.identifiers).toEqual({ phone: "+492281", customer_id: "7", email: "seven@x.org" });
  });

  test("refuses the value of another contact and writes nothing, unless both may be merged", async () => {
    await send("POST", "contacts", { ...email("one@x.org"), attributes: { customer_id: "c1" } });
    await send("POST", "contacts", { ...email("two@x.org"), attributes: { n: 1 } });
    const body = { ...email("two@x.org"), attributes: { customer_id: "c1", n: 2 } };
    const refused = await send("POST", "contacts", body);
    expect([refused.status, refused.body.code]).toEqual([422, "MERGE_CONFLICT"]);
    expect((await read("contacts/two@x.org")).body.attributes).toEqual({ n: 1 });
    const mergeOptions = { mergeAllowed: true, mergeableSecondaryKeys: ["email"] };
    expect((await send("POST", "contacts", { ...body, mergeOptions })).status).toBe(422);
    await send("POST", "contacts", { channels: { sms: { address: "+49 1" } }, attributes: { customer_id: "c9" } });
    const merged = await send("POST", "contacts", {
      ...email("three@x.org"),
      attributes: { customer_id: "c9" },
      mergeOptions: { mergeAllowed: true },
    });
    expect(merged.body.identifiers).toMatchObject({ email: "three@x.org", phone: "+491", customer_id: "c9" });
  });

  test("subscribes who unsubscribed only by force, and never goes back to none", async () => {
    await send("POST", "contacts", email("u@x.org", { subscribeStatus: "unsubscribed" }));
    const refused = await send("POST", "contacts", email("u@x.org", { subscribeStatus: "subscribed" }));
    expect([refused.status, refused.body.details[0]]).toMatchObject([
      422,
      { path: "/channels/email/subscribeStatus", code: "force_subscribe_required" },
    ]);
    const none = await send("PUT", "contacts/u@x.org", { channels: { email: { subscribeStatus: "none" } } });
    expect([none.status, none.body.details[0].code]).toEqual([422, "not_allowed"]);
    const forced = { ...email("u@x.org", { subscribeStatus: "subscribed" }), forceSubscribe: true };
    expect((await send("POST", "contacts", forced)).body.channels.email.subscribeStatus).toBe("subscribed");
    expect((await send("PUT", "contacts/u@x.org/unsubscribe/email")).body).toEqual({ success: true });
    expect((await send("PUT", "contacts/u@x.org/unsubscribe/email?mcID=m1")).status).toBe(200);
    expect((await read("contacts/u@x.org")).body.channels.email.subscribeStatus).toBe("unsubscribed");
    expect((await send("PUT", "contacts/nobody@x.org/unsubscribe/email")).body.code).toBe("CONTACTS_CONTACT_NOT_FOUND");
  });

  test.each([
    [{}, "required", "/channels"],
    [{ channels: {} }, "required", "/channels"],
    [{ channels: { email: {} } }, "required", "/channels/email/address"],
    [{ ...email("a@b.c"), attributes: [] }, "type_mismatch", "/attributes"],
    [{ ...email("a@b.c"), attributes: { channels: {} } }, "not_allowed", "/attributes/channels"],
    [email("a@b.c", { subscribeStatus: "perhaps" }), "bad_value", "/channels/email/subscribeStatus"],
    [email("a@b.c", { subscribedAt: "perhaps" }), "bad_value", "/channels/email/subscribedAt"],
    [{ ...email("a@b.c"), lists: { "no name!": true } }, "bad_value", "/lists/no name!"],
    [{ ...email("a@b.c"), attributes: { ["k".repeat(1_025)]: 1 } }, "too_long", `/attributes/${"k".repeat(1_025)}`],
    [{ channels: { email: { address: " " } } }, "bad_value", "/channels/email/address"],
  ])("refuses %j: %s at %s", async (body, code, path) => {
    const answer = await send("POST", "contacts", body);
    expect([answer.status, answer.body.code]).toEqual([422, "VALIDATION_ERROR"]);
    expect(answer.body.details).toContainEqual(expect.objectContaining({ code, path }));
  });

  test("answers a repeat under the same Idempotency-Key as the first time, and another body never", async () => {
    const once = { "idempotency-key": "k1" };
    const first = await send("POST", "contacts", { ...email("i@x.org"), attributes: { n: 1 } }, once);
    await send("PUT", "contacts/i@x.org", { attributes: { n: 2 } });
    const again = await send("POST", "contacts", { ...email("i@x.org"), attributes: { n: 1 } }, once);
    expect([again.status, again.body, again.headers["idempotency-replayed"]]).toEqual([201, first.body, "true"]);
    expect((await send("POST", "contacts", email("j@x.org"), once)).body.code).toBe("IDEMPOTENCY_KEY_REUSED");
    expect((await read("contacts/i@x.org")).body.attributes.n).toBe(2);
  });

  test("makes one contact of 16 calls at once, and 64 writes to it all count", async () => {
    const built = await Promise.all(Array.from({ length: 16 }, () => send("POST", "contacts", email("race@x.org"))));
    expect(new Set(built.map(({ body }) => body.cID)).size).toBe(1);
    expect(built.map(({ status }) => status).sort()).toEqual([...Array.from({ length: 15 }, () => 200), 201]);
    const writes = Array.from({ length: 64 }, (_, n) =>
      send("PUT", "contacts/race@x.org", { attributes: { [`n${n}`]: n } }),
    );
    expect(new Set((await Promise.all(writes)).map(({ status }) => status))).toEqual(new Set([200]));
    expect(Object.keys((await read("contacts/race@x.org")).body.attributes)).toHaveLength(64);
  });
});

describe("PUT /v2/contacts/{primary_key}", () => {
  test("writes what If-Match expects, and refuses what has changed since", async () => {
    const { body, headers } = await send("POST", "contacts", email("m@x.org"));
    const match = { "if-match": String(headers.etag) };
    const done = await send("PUT", `contacts/${body.cID}`, { attributes: { n: 1 } }, match);
    expect([done.status, done.body.attributes]).toEqual([200, { n: 1 }]);
    const late = await send("PUT", `contacts/${body.cID}`, { attributes: { n: 2 } }, match);
    expect([late.status, late.body.code]).toEqual([409, "VERSION_CONFLICT"]);
    expect((await send("POST", "contacts", { ...email("m@x.org"), attributes: { n: 3 } }, match)).status).toBe(409);
    const now = { "if-match": String(done.headers.etag) };
    expect((await send("PUT", `contacts/${body.cID}`, { lists: { vip: false } }, now)).status).toBe(200);
  });

  test("changes the address: the new one finds the contact, the old one does not", async () => {
    const { body } = await send("POST", "contacts", email("old@x.org"));
    const { status } = await send("PUT", "contacts/old@x.org", email("New@x.org"));
    expect([status, (await read("contacts/new@x.org")).body.cID]).toEqual([200, body.cID]);
    expect((await read("contacts/old@x.org")).status).toBe(404);
  });

  test("is 404 for nobody and for another account's contact, 403 without the scope", async () => {
    const { body } = await send("POST", "contacts", email("mine@x.org"));
    const { account: other } = await service.account();
    const by = await service.key(other, SCOPES);
    for (const path of [body.cID, "mine@x.org"]) {
      const answer = await service.call(by, `/v2/contacts/${path}`, { method: "PUT", body: {} });
      expect([answer.status, answer.body.code]).toEqual([404, "CONTACTS_CONTACT_NOT_FOUND"]);
    }
    const reader = await service.key(account);
    const denied = await service.call(reader, "/v2/contacts/mine@x.org", { method: "PUT", body: {} });
    expect([denied.status, denied.body.code]).toEqual([403, "INSUFFICIENT_SCOPE"]);
  });

  test("a call and a record of the log come out the same, whichever is later", async () => {
    await send("POST", "contacts", { ...email("both@x.org"), attributes: { a: "v2", b: "v2" } });
    const identifiers = { email: "both@x.org" };
    await apply("upsertContact", { contact: { identifiers, attributes: { a: "log" }, canBeUpdated: true } });
    expect((await read("contacts/both@x.org")).body.attributes).toEqual({ a: "log", b: "v2" });
    await send("PUT", "contacts/both@x.org", { attributes: { a: "v2 again" } });
    expect((await read("contacts/both@x.org")).body.attributes).toEqual({ a: "v2 again", b: "v2" });
  });
});

describe("a cart", () => {
  const line = (productID: string, more: object = {}) => ({ productID, sku: "1", category: "c", name: "n", ...more });
  const cart = async (of: string) => (await read(`contacts/${of}/cart`)).body;

  test("is set, added to, taken from, changed and emptied", async () => {
    await send("POST", "contacts", email("cart@x.org"));
    expect(await cart("cart@x.org")).toEqual({ items: [], totalAmount: 0 });
    const set = {
      cartID: "c1",
      tax: "1.10",
      cartitems: [line("p", { qty: 2, itemPrice: 2.5 }), line("q", { itemPrice: 1 })],
    };
    const done = await send("POST", "contacts/cart@x.org/cart", set);
    expect([done.status, done.body]).toEqual([201, { success: true }]);
    expect(await cart("cart@x.org")).toMatchObject({
      cartID: "c1",
      tax: 1.1,
      totalAmount: 7.1,
      items: [
        { productID: "p", qty: 2, amount: 5 },
        { productID: "q", qty: 1 },
      ],
    });
    expect((await send("POST", "contacts/cart@x.org/cartitems", line("p", { qty: 3, itemPrice: 2 }))).status).toBe(201);
    expect((await cart("cart@x.org")).items[0]).toMatchObject({ qty: 5, itemPrice: 2 });
    expect((await send("DELETE", "contacts/cart@x.org/cartitems/p/1/1")).status).toBe(200);
    expect((await send("DELETE", "contacts/cart@x.org/cartitems/q/9")).status).toBe(200);
    expect((await cart("cart@x.org")).items).toMatchObject([{ productID: "p", qty: 4 }]);
    expect((await send("PUT", "contacts/cart@x.org/cart", { url: "https://x.org" })).status).toBe(200);
    expect(await cart("cart@x.org")).toMatchObject({ cartID: "c1", url: "https://x.org", items: [{ qty: 4 }] });
    await send("PUT", "contacts/cart@x.org/cart", { cartitems: [line("r")] });
    expect((await cart("cart@x.org")).items.map(({ productID }: { productID: string }) => productID)).toEqual(["r"]);
    expect((await send("DELETE", "contacts/cart@x.org/cart")).body).toEqual({ success: true });
    expect(await cart("cart@x.org")).toMatchObject({ items: [], totalAmount: 0 });
  });

  test("reads as empty after its expiration", async () => {
    await send("POST", "contacts", email("late@x.org"));
    await send("POST", "contacts/late@x.org/cart", { expiration: "2020-01-01", cartitems: [line("p")] });
    expect(await cart("late@x.org")).toMatchObject({ items: [] });
  });

  test("refuses lines with names that no record may have, at their place", async () => {
    await send("POST", "contacts", email("names@x.org"));
    const [deep, long] = [{ attr: { "a.b.c.d.e.f": 1 } }, { properties: { ["n".repeat(1_025)]: 1 } }];
    const refusals = await Promise.all([
      send("POST", "contacts/names@x.org/cart", { cartitems: [line("q"), line("p", deep)] }),
      send("PUT", "contacts/names@x.org/cart", { cartitems: [line("p", long)] }),
      send("POST", "contacts/names@x.org/cartitems", line("p", deep)),
    ]);
    expect(refusals.map(({ status, body }) => [status, body.details[0].path, body.details[0].code])).toEqual([
      [422, "/cartitems/1/attr/a.b.c.d.e.f", "too_many"],
      [422, `/cartitems/0/properties/${"n".repeat(1_025)}`, "too_long"],
      [422, "/attr/a.b.c.d.e.f", "too_many"],
    ]);
    expect(await cart("names@x.org")).toMatchObject({ items: [] });
  });

  test("refuses bad lines, and is nobody's of an unknown contact", async () => {
    await send("POST", "contacts", email("bad@x.org"));
    const bad = await send("POST", "contacts/bad@x.org/cartitems", line("p", { qty: 0 }));
    expect([bad.status, bad.body.details[0]]).toMatchObject([422, { path: "/qty", code: "out_of_range" }]);
    expect((await send("POST", "contacts/bad@x.org/cart", {})).body.details[0]).toMatchObject({ path: "/cartitems" });
    const refused = { status: 422, body: { details: [{ path: "/qty", code: "out_of_range" }] } };
    for (const qty of ["0", "x", "99999999999"])
      expect(await send("DELETE", `contacts/bad@x.org/cartitems/p/${qty}`)).toMatchObject(refused);
    const paths = ["cart", "cartitems/p/1", "cartitems/p/1/s"];
    for (const path of paths) expect((await send("DELETE", `contacts/nobody@x.org/${path}`)).status).toBe(404);
    expect((await read("contacts/nobody@x.org/cart")).body.code).toBe("CONTACTS_CONTACT_NOT_FOUND");
  });
});
