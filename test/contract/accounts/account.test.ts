import { createLogger } from "@headwater/kernel";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Running, startService } from "../service/running.ts";
import { seedContacts } from "../service/seed.ts";

const lines: string[] = [];
const logger = createLogger({ name: "test", level: "trace", destination: { write: (line) => void lines.push(line) } });
const SECRET_TEXT = "a very secret text 4711";
const UNSEEN = "listsync-secret-of-the-shop";

let service: Running;
let mine: Awaited<ReturnType<Running["account"]>>;
let key: string;

beforeAll(async () => {
  service = await startService({ logger });
  mine = await service.account();
  key = await service.key(mine.account, { scopes: ["account:read", "account:write"] });
});

afterAll(() => service.stop());

const get = (as = key) => service.call(as, "/v2/account");
const put = (body: unknown, { as = key, headers = {} }: { as?: string; headers?: Record<string, string> } = {}) =>
  service.call(as, "/v2/account", { method: "PUT", body, headers });

describe("GET /v2/account", () => {
  test("shows the whole document, with its ETag", async () => {
    const { status, body, headers } = await get();
    expect(status).toBe(200);
    expect(body).toEqual({ accountId: mine.account.id, name: "test", ...mine.account.settings });
    expect(headers.etag).toMatch(/^"\d+"$/);
  });

  test("needs the scope to read", async () => {
    const other = await service.key(mine.account, { scopes: ["orders:read"] });
    expect((await get(other)).body.code).toBe("INSUFFICIENT_SCOPE");
  });
});

describe("PUT /v2/account", () => {
  test("changes what is given, and null is the default", async () => {
    const changed = await put({ timezone: "Europe/Paris", features: { merge: false }, name: "shop" });
    expect(changed.status).toBe(200);
    const { name, timezone, features, currency } = (await get()).body;
    expect({ name, timezone, features, currency }).toEqual({
      name: "shop",
      timezone: "Europe/Paris",
      features: { merge: false },
      currency: "USD",
    });
    expect((await put({ timezone: null, features: null })).body).toMatchObject({
      timezone: "UTC",
      features: { merge: true },
    });
  });

  test("keeps secrets, shows their last four characters, and never logs them", async () => {
    const secrets = [SECRET_TEXT, UNSEEN];
    const written = await put({ partners: { listsync: { secrets } } }, { headers: { "idempotency-key": "secrets" } });
    const view = [
      { set: true, last4: "4711" },
      { set: true, last4: "shop" },
    ];
    expect(written.body.partners.listsync.secrets).toEqual(view);
    const { body } = await get();
    expect(body.partners.listsync.secrets).toEqual(view);
    expect((await put(body)).status).toBe(200);
    const bad = await put({ partners: { subscriptionsync: { secrets: [SECRET_TEXT], customerIdKey: 1 } } });
    expect([bad.status, bad.body.details[0].path]).toEqual([422, "/partners/subscriptionsync/customerIdKey"]);
    const again = await put({ partners: { listsync: { secrets } } }, { headers: { "idempotency-key": "secrets" } });
    expect(again.headers["idempotency-replayed"]).toBe("true");
    const answers = [written, bad, again, await get()].map(({ text }) => text).join();
    for (const text of [answers, lines.join()]) for (const one of secrets) expect(text).not.toContain(one);
    const statement = { text: "SELECT settings FROM intake.accounts WHERE id = $1" };
    const [row] = await service.postgres.query<{ settings: unknown }>(statement, [mine.account.id]);
    expect(row?.settings).toMatchObject({ partners: { listsync: { secrets } } });
  });

  test("is refused when the document changed since the version that If-Match names", async () => {
    const seen = String((await get()).headers.etag);
    const first = await put({ currency: "EUR" }, { headers: { "if-match": seen } });
    expect([first.status, first.headers.etag === seen]).toEqual([200, false]);
    const second = await put({ currency: "GBP" }, { headers: { "if-match": seen } });
    expect([second.status, second.body.code]).toEqual([409, "VERSION_CONFLICT"]);
    const third = await put({ currency: "EUR" }, { headers: { "if-match": String(first.headers.etag) } });
    expect([third.status, third.headers.etag]).toEqual([200, first.headers.etag]);
    expect((await get()).headers.etag).toBe(first.headers.etag);
  });

  test("loses none of many changes that come at once", async () => {
    const names = ["a", "b", "c", "d", "e", "f"];
    const answers = await Promise.all(
      names.map((name) => put({ partners: { cdpsync: { identities: { [name]: "phone" } } } })),
    );
    expect(answers.map(({ status }) => status)).toEqual(names.map(() => 200));
    const { identities } = (await get()).body.partners.cdpsync;
    expect(identities).toEqual(Object.fromEntries(names.map((name) => [name, "phone"])));
  });

  test.each([
    [{ limits: { readPerSecond: 1 } }, "/limits", "not_allowed"],
    [{ accountId: "0".repeat(24) }, "/accountId", "not_allowed"],
    [{ currency: "euro" }, "/currency", "bad_value"],
    [{ retention: { activities: 0 } }, "/retention/activities", "out_of_range"],
    [{ strictLists: "yes" }, "/strictLists", "type_mismatch"],
    [{ colour: "red" }, "/colour", "unknown_field"],
  ])("refuses %j", async (body, path, code) => {
    const before = (await get()).body;
    const answer = await put(body);
    expect([answer.status, answer.body.code]).toEqual([422, "VALIDATION_ERROR"]);
    expect(answer.body.details[0]).toMatchObject({ path, code });
    expect((await get()).body).toEqual(before);
  });

  test("only adds identifier names once there are contacts", async () => {
    const { account } = await service.account();
    const owner = await service.key(account, { scopes: ["read", "write", "admin"] });
    const [cid, email] = account.settings.identifiers;
    const loyalty = { name: "loyalty", kind: "primary", format: "string" };
    const names = (identifiers: unknown[]) => put({ identifiers }, { as: owner });
    expect((await names([cid, loyalty, email])).status).toBe(200);
    await seedContacts(service.postgres, account, [{ number: 9, cid: "65f0c0ffee65f0c0ffee0009" }]);
    const refused = await names([cid, email, loyalty]);
    expect([refused.status, refused.body.details.length]).toEqual([422, 2]);
    expect((await names([cid, loyalty, email, { ...loyalty, name: "crm" }])).status).toBe(200);
    expect((await names([cid, loyalty])).status).toBe(422);
  });

  test("needs the scope to write, and a body", async () => {
    const reader = await service.key(mine.account, { scopes: ["read"] });
    expect((await put({}, { as: reader })).status).toBe(403);
    expect((await put([])).status).toBe(422);
    expect((await service.call(undefined, "/v2/account")).status).toBe(401);
  });
});
