import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type CallOptions, type Running, startService } from "./running.ts";

let service: Running;
let key: string;
beforeAll(async () => {
  service = await startService();
  const { account } = await service.account();
  key = await service.key(account, { scopes: ["read", "write", "admin"] });
});
afterAll(() => service.stop());

type Method = NonNullable<CallOptions["method"]>;
const call = (method: Method, path: string, body?: unknown, match?: string) =>
  service.call(key, `/v2/${path}`, {
    method,
    ...(body !== undefined && { body }),
    ...(match !== undefined && { headers: { "if-match": match } }),
  });

interface Kind {
  /** Makes one. @returns its path. */
  make(name: string): Promise<string>;
  readonly change: object;
  readonly other: object;
}

async function created(collection: string, body: object, id?: string): Promise<string> {
  const answer = await call("POST", collection, body);
  expect(answer.status).toBe(201);
  return `${collection}/${id ?? answer.body.id}`;
}

const kinds: Readonly<Record<string, Kind>> = {
  "a list": {
    make: (name) => created("accountlists", { name }),
    change: { enhanced: true },
    other: { enhanced: false },
  },
  "an attribute": {
    make: (name) => created("accountcontactattributes", { key: name, name: "a", type: "string" }, name),
    change: { index: true },
    other: { name: "b" },
  },
  "a supplement table": {
    make: (name) => created("supplements", { key: name, indexes: [] }, name),
    change: { indexes: [{ field: "colour", type: "string" }] },
    other: { name: "b" },
  },
  "an include": {
    make: (name) => created("includes", { key: name, content: "a" }, name),
    change: { content: "b" },
    other: { content: "c" },
  },
  "a saved audience": {
    make: (name) => created("audiences", { key: name, name: "a", criteria: { and: [] } }, name),
    change: { criteria: { or: [] } },
    other: { name: "c" },
  },
  "a product": {
    make: (name) => created("products", { productID: name, productName: "a", price: 1 }, name),
    change: { price: 2 },
    other: { price: 3 },
  },
  "a supplement record": {
    make: async (name) => {
      await created("supplements", { key: name, indexes: [] }, name);
      return created(`supplements/${name}/records`, { id: "r", colour: "red" }, "r");
    },
    change: { colour: "green" },
    other: { colour: "blue" },
  },
};

describe.each(Object.entries(kinds))("%s", (what, { make, change, other }) => {
  const name = what.replaceAll(" ", "-");

  test("is changed and deleted only in the version that If-Match names", async () => {
    const path = await make(name);
    const first = String((await call("GET", path)).headers.etag);
    expect(first).toMatch(/^"[\w-]+"$/);
    const changed = await call("PUT", path, change, first);
    expect([changed.status, changed.headers.etag]).toEqual([200, (await call("GET", path)).headers.etag]);
    expect(changed.headers.etag).not.toBe(first);
    for (const late of [await call("PUT", path, other, first), await call("DELETE", path, undefined, first)]) {
      expect([late.status, late.body.code]).toEqual([409, "VERSION_CONFLICT"]);
    }
    expect((await call("GET", path)).headers.etag).toBe(changed.headers.etag);
    expect((await call("PUT", path, other, `"old", ${changed.headers.etag}`)).status).toBe(200);
    expect((await call("DELETE", path, undefined, "*")).status).toBe(200);
    expect((await call("PUT", path, change, "*")).status).toBe(404);
  });

  test("is changed by one of many that come at once with its ETag", async () => {
    const path = await make(`${name}-raced`);
    const etag = String((await call("GET", path)).headers.etag);
    const answers = await Promise.all(Array.from({ length: 8 }, () => call("PUT", path, change, etag)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(7).fill(409)]);
  });
});

describe("of sixteen that come at once with one name", () => {
  const race = (ask: (index: number) => readonly [path: string, body: object]) =>
    Promise.all(Array.from({ length: 16 }, (_, index) => call("POST", ...ask(index))));

  test.each([
    ["lists", "accountlists", { name: "raced" }, "NAME_MUST_BE_UNIQUE"],
    [
      "attributes",
      "accountcontactattributes",
      { key: "raced_key", name: "Raced", type: "string" },
      "KEY_MUST_BE_UNIQUE",
    ],
    ["supplements", "supplements", { key: "raced", indexes: [] }, "KEY_MUST_BE_UNIQUE"],
    ["includes", "includes", { key: "raced", content: "c" }, "KEY_MUST_BE_UNIQUE"],
    ["audiences", "audiences", { key: "raced", name: "r", criteria: { and: [] } }, "KEY_MUST_BE_UNIQUE"],
  ])("%s one is made, the others are refused", async (_what, path, body, code) => {
    const answers = await race(() => [path, body]);
    const outcomes = answers.map(({ status, body: { code: why } }) => (status === 201 ? "made" : `${status} ${why}`));
    expect(outcomes.toSorted()).toEqual([...Array(15).fill(`422 ${code}`), "made"]);
  });

  test("lists and attributes, which share their names, one is made", async () => {
    const answers = await race((index) =>
      index % 2 === 0
        ? ["accountlists", { name: "shared" }]
        : ["accountcontactattributes", { key: "shared", name: "Shared", type: "string" }],
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, ...Array(15).fill(422)]);
  });
});

describe("the status of an sms channel", () => {
  const smsOf = async (cid: string) => (await call("GET", `contacts/cID:${cid}`)).body.channels.sms.subscribeStatus;
  const status = (subscribeStatus: string) => ({ channels: { sms: { subscribeStatus } } });

  test("is pending from the opt-in that is asked for until it is confirmed or refused", async () => {
    const channels = { sms: { address: "+4922812345", subscribeStatus: "pending" } };
    const { body } = await call("POST", "contacts", { channels });
    expect(body.channels.sms).toMatchObject({ subscribeStatus: "pending" });
    const path = `contacts/cID:${body.cID}`;
    const none = await call("PUT", path, status("none"));
    expect([none.status, none.body.details[0].code]).toEqual([422, "not_allowed"]);
    expect((await call("PUT", path, status("subscribed"))).status).toBe(200);
    expect(await smsOf(body.cID)).toBe("subscribed");
    const back = await call("PUT", path, status("pending"));
    expect([back.status, back.body.details[0].code]).toEqual([422, "not_allowed"]);
    expect((await call("PUT", `${path}/unsubscribe/sms`)).status).toBe(200);
    expect((await call("PUT", path, status("pending"))).status).toBe(422);
    expect(await smsOf(body.cID)).toBe("unsubscribed");
  });

  test("is taken by an unsubscribe while it is pending, and no other channel is ever pending", async () => {
    const channels = { sms: { address: "+4922812346", subscribeStatus: "pending" } };
    const { body } = await call("POST", "contacts", { channels });
    expect((await call("PUT", `contacts/cID:${body.cID}/unsubscribe/sms`)).status).toBe(200);
    expect(await smsOf(body.cID)).toBe("unsubscribed");
    const email = await call("POST", "contacts", {
      channels: { email: { ...channels.sms, address: "p@example.com" } },
    });
    expect([email.status, email.body.details[0]]).toMatchObject([
      422,
      { path: "/channels/email/subscribeStatus", code: "bad_value" },
    ]);
  });
});

describe("an unsubscribe by a message", () => {
  const entries = () => service.log.appended.flatMap((append) => append.entries.map(({ text }) => JSON.parse(text)));

  test("writes an optout of the message to the log, the same for a repeat, and none without a message", async () => {
    const { body } = await call("POST", "contacts", { channels: { email: { address: "opt@example.com" } } });
    const path = `contacts/cID:${body.cID}/unsubscribe/email`;
    expect((await call("PUT", path)).status).toBe(200);
    expect(entries()).toEqual([]);
    for (const _ of [1, 2]) expect((await call("PUT", `${path}?mcID=acc:m1:batch:1:1`)).status).toBe(200);
    const event = {
      name: "optout",
      UID: "optout:email:acc:m1:batch:1:1",
      properties: { mcID: "acc:m1:batch:1:1", channel: "email" },
    };
    expect(entries()).toMatchObject([event, event].map((one) => ({ event: one })));
    expect((await call("PUT", "contacts/cID:unknown/unsubscribe/email?mcID=acc:m1:batch:1:1")).status).toBe(404);
    expect(entries()).toHaveLength(2);
  });

  test("is not stored while the log is away", async () => {
    const channels = { email: { address: "away@example.com", subscribeStatus: "subscribed" } };
    const { body } = await call("POST", "contacts", { channels });
    const path = `contacts/cID:${body.cID}`;
    service.log.isAway = true;
    expect((await call("PUT", `${path}/unsubscribe/email?mcID=acc:m1:batch:1:1`)).status).toBe(503);
    service.log.isAway = false;
    expect((await call("GET", path)).body.channels.email.subscribeStatus).toBe("subscribed");
  });
});
