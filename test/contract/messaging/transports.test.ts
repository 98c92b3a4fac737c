import { generateKeyPairSync, randomBytes } from "node:crypto";
import { createOutbound, createSealer } from "@headwater/kernel";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Called, type CallOptions, type Running, startService } from "../service/running.ts";
import { problems } from "./templates/templateWorld.ts";

let service: Running;
let key: string;
let otherKey: string;

const PASSWORD = "a password of mine";
const pem = { publicKeyEncoding: { type: "spki", format: "pem" } } as const;
const privateKeyEncoding = { type: "pkcs8", format: "pem" } as const;
const { privateKey: ed25519 } = generateKeyPairSync("ed25519", { ...pem, privateKeyEncoding });
const { privateKey: rsa } = generateKeyPairSync("rsa", { modulusLength: 2_048, ...pem, privateKeyEncoding });

beforeAll(async () => {
  service = await startService({ sealer: createSealer([randomBytes(32)]) });
  const mine = await service.account();
  key = await service.key(mine.account, { scopes: ["transports:read", "transports:write"] });
  otherKey = await service.key((await service.account()).account, { scopes: ["read", "write", "admin"] });
});

afterAll(() => service.stop());

const call = (method: CallOptions["method"] & string, url: string, body?: unknown, as = key, headers = {}) =>
  service.call(as, url, { method, headers, ...(body !== undefined && { body }) });
const numbers = Array.from({ length: 100 }, (_, number) => number).values();
const smtp = (settings: object, members: object = {}) => ({
  name: `Mail ${numbers.next().value}`,
  channel: "email",
  type: "smtp",
  settings: { host: "smtp.example.com", ...settings },
  ...members,
});
const make = async (body: object, as = key) =>
  `/v2/transports/${(await call("POST", "/v2/transports", body, as)).body.id}`;
const storedSettings = async () =>
  (await service.postgres.query<{ settings: string }>({ text: "SELECT settings FROM transports" })).map(
    ({ settings }) => settings,
  );

describe("transports", () => {
  test("are created, shown, changed in part and deleted; repeats and other versions are noticed", async () => {
    const body = smtp({ port: 587, tls: "required" }, { default: true, colour: "red" });
    const headers = { "idempotency-key": "once" };
    const created = await call("POST", "/v2/transports", body, key, headers);
    expect([created.status, created.body]).toEqual([
      201,
      {
        success: true,
        id: expect.stringMatching(/^[0-9a-f]{24}$/),
        warnings: [expect.objectContaining({ path: "/colour", code: "unknown_member" })],
      },
    ]);
    expect((await call("POST", "/v2/transports", body, key, headers)).body).toEqual(created.body);
    const url = `/v2/transports/${created.body.id}`;
    const view = await call("GET", url);
    const { id } = created.body;
    expect(view.body).toEqual({
      ...{ id, name: body.name, channel: "email", type: "smtp", default: true, enabled: true },
      settings: { host: "smtp.example.com", port: 587, tls: "required" },
      ct: view.body.ct,
      lm: view.body.ct,
    });
    expect(view.headers.etag).toBe(created.headers.etag);
    const match = { "if-match": String(created.headers.etag) };
    const changed = await call("PUT", url, { settings: { port: null, perSecond: 5 }, enabled: false }, key, match);
    expect([changed.status, changed.body]).toEqual([200, { success: true, id }]);
    expect((await call("GET", url)).body).toMatchObject({
      settings: { host: "smtp.example.com", tls: "required", perSecond: 5 },
      enabled: false,
    });
    expect((await call("DELETE", url, undefined, key, match)).body.code).toBe("VERSION_CONFLICT");
    expect((await call("DELETE", url)).body).toEqual({ success: true });
    for (const method of ["GET", "DELETE"] as const) expect((await call(method, url)).status).toBe(404);
  });

  test("are seen, changed and deleted by their own account alone", async () => {
    const url = await make(smtp({}));
    for (const answer of [await call("GET", url, undefined, otherKey), await call("PUT", url, {}, otherKey)])
      expect([answer.status, answer.body.code]).toEqual([404, "RECORD_NOT_FOUND"]);
    expect((await call("DELETE", url, undefined, otherKey)).status).toBe(404);
    expect((await call("GET", "/v2/transports", undefined, otherKey)).body.data).toEqual([]);
    expect((await call("GET", url)).status).toBe(200);
  });

  test("have names that are unique in their account, also of many that come at once", async () => {
    const body = smtp({}, { name: "Raced" });
    const answers = await Promise.all(Array.from({ length: 6 }, () => call("POST", "/v2/transports", body)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    const [refused] = answers.filter(({ status }) => status === 422);
    expect(refused && problems(refused)).toEqual([422, "KEY_MUST_BE_UNIQUE", "/name bad_value"]);
    expect((await call("POST", "/v2/transports", body, otherKey)).status).toBe(201);
    const url = await make(smtp({}));
    expect(problems(await call("PUT", url, { name: "Raced" }))).toEqual([422, "KEY_MUST_BE_UNIQUE", "/name bad_value"]);
    expect((await call("PUT", url, { name: "Free" })).status).toBe(200);
  });

  test("have one default for each channel: the one that was made it last", async () => {
    const sms = { channel: "sms", type: "http", settings: { url: "https://sms.example.com" }, default: true };
    const first = await make({ ...sms, name: "sms 1" });
    const mail = await make(smtp({}, { default: true }));
    const second = await make({ ...sms, name: "sms 2" });
    const defaults = async () =>
      Promise.all([first, second, mail].map(async (url) => (await call("GET", url)).body.default));
    expect(await defaults()).toEqual([false, true, true]);
    await Promise.all([first, second].map((url) => call("PUT", url, { default: true })));
    expect((await defaults()).slice(0, 2).sort()).toEqual([false, true]);
  });

  test("are listed by creation or name, by channel, page by page", async () => {
    const { account: one } = await service.account();
    const lister = await service.key(one, { scopes: ["read", "write", "admin"] });
    const push = { channel: "push", type: "http", settings: { url: "https://push.example.com" } };
    for (const name of ["b", "c", "a"]) await make(smtp({}, { name }), lister);
    await make({ ...push, name: "d" }, lister);
    const names = async (query: string) => {
      const all: string[] = [];
      let url: string | undefined = `/v2/transports?per_page=2&fields=name&${query}`;
      while (url !== undefined) {
        const answer: Called = await call("GET", url, undefined, lister);
        all.push(...answer.body.data.map(({ name }: { name: string }) => name));
        url = /^<(.*)>; rel="next"$/.exec(String(answer.headers.link ?? ""))?.[1];
      }
      return all.join("");
    };
    expect(await names("")).toBe("bcad");
    expect(await names("sort_by=name&sort_dir=desc")).toBe("dcba");
    expect(await names("channel=email")).toBe("bca");
    expect(await names("channel=fax")).toBe("");
    expect((await call("GET", "/v2/transports?fields=colour", undefined, lister)).status).toBe(400);
  });
});

describe("secrets of transports", () => {
  test("are sealed and shown as {set, last4}; written back so they stay, null removes them", async () => {
    const dkim = [{ domain: "Example.com", selector: "s1", privateKey: rsa }];
    const url = await make(smtp({ username: "me", password: PASSWORD, dkim }));
    const displayed = (await call("GET", url)).body.settings;
    expect(displayed.password).toEqual({ set: true, last4: "mine" });
    const last4 = rsa.replaceAll(/-----[^-]+-----|[\s=]/g, "").slice(-4);
    expect(displayed.dkim).toEqual([{ domain: "example.com", selector: "s1", privateKey: { set: true, last4 } }]);
    const before = (await storedSettings()).at(-1);
    expect(before).not.toContain(PASSWORD);
    expect(before).not.toContain("PRIVATE KEY");
    await call("PUT", url, { settings: displayed });
    expect((await storedSettings()).at(-1)).toBe(before);
    const keys = [...displayed.dkim, { domain: "example.com", selector: "s2", privateKey: ed25519 }];
    expect((await call("PUT", url, { settings: { password: null, dkim: keys } })).status).toBe(200);
    const after = (await call("GET", url)).body.settings;
    expect(after.password).toBeUndefined();
    expect(after.dkim.map(({ selector }: { selector: string }) => selector)).toEqual(["s1", "s2"]);
    const other = { settings: { password: { set: true, last4: "mine" } } };
    expect(problems(await call("PUT", url, other))).toEqual([422, "VALIDATION_ERROR", "/settings/password bad_value"]);
  });

  test("of an HTTP transport are the headers whose name says so", async () => {
    const headers = { Authorization: "Bearer planted-secret", "x-api-key": "planted-secret", accept: "text/plain" };
    const settings = { url: "https://sms.example.com", headers };
    const url = await make({ name: "sms", channel: "sms", type: "http", settings });
    const visible = await call("GET", url);
    expect(visible.text).not.toContain("planted");
    expect(visible.body.settings.headers).toMatchObject({
      "x-api-key": { set: true, last4: "cret" },
      accept: "text/plain",
    });
    await call("PUT", url, { settings: { headers: { Authorization: null, accept: "a/b" } } });
    const { settings: after } = (await call("GET", url)).body;
    expect(after.headers).toEqual({ "x-api-key": { set: true, last4: "cret" }, accept: "a/b" });
    expect((await storedSettings()).join()).not.toContain("planted");
  });

  test("are refused where the installation has no key for them", async () => {
    const keyless = await startService();
    const mine = await keyless.account();
    const as = await keyless.key(mine.account, { scopes: ["write", "admin"] });
    const answer = await keyless.call(as, "/v2/transports", { method: "POST", body: smtp({ password: PASSWORD }) });
    expect(problems(answer)).toEqual([422, "VALIDATION_ERROR", "/settings/password not_allowed"]);
    expect((await keyless.call(as, "/v2/transports", { method: "POST", body: smtp({}) })).status).toBe(201);
    await keyless.stop();
  });
});

describe("a transport is refused", () => {
  const http = (settings: object) => ({ name: "x", channel: "sms", type: "http", settings });
  test.each<[string, object, string[]]>([
    ["without its members", {}, ["/name required", "/channel required", "/type required"]],
    ["of an unknown type", { name: "x", channel: "email", type: "fax" }, ["/type bad_value"]],
    ["of SMTP for another channel", smtp({}, { channel: "sms" }), ["/channel bad_value"]],
    ["without a host", { name: "x", channel: "email", type: "smtp" }, ["/settings/host required"]],
    [
      "with a wrong port and mode of TLS",
      smtp({ port: 0, tls: "yes" }),
      ["/settings/port out_of_range", "/settings/tls bad_value"],
    ],
    ["with a newline in its host", smtp({ host: "a\nb" }), ["/settings/host bad_value"]],
    ["with a wrong domain", smtp({ fromDomains: ["not a domain"] }), ["/settings/fromDomains/0 bad_value"]],
    [
      "with a key that is none",
      smtp({ dkim: [{ domain: "a.example", selector: "s", privateKey: "x" }] }),
      ["/settings/dkim/0/privateKey bad_value"],
    ],
    [
      "with a key of one place twice",
      smtp({ dkim: ["A.example", "a.example"].map((domain) => ({ domain, selector: "s", privateKey: ed25519 })) }),
      ["/settings/dkim/1 bad_value"],
    ],
    [
      "with a return path without its token",
      smtp({ returnPath: "bounces@example.com" }),
      ["/settings/returnPath bad_value"],
    ],
    [
      "with a rate of nothing",
      smtp({ perSecond: 0, perDomain: { "a.example": -1 } }),
      ["/settings/perSecond out_of_range", "/settings/perDomain/a.example out_of_range"],
    ],
    [
      "with warm-up days out of order",
      smtp({
        warmup: [
          { day: 2, perDay: 5 },
          { day: 1, perDay: 9 },
        ],
      }),
      ["/settings/warmup bad_value"],
    ],
    [
      "with mistakes in its body",
      http({ url: "https://sms.example.com", body: "{\n{{ text | nope }}}" }),
      ["/settings/body bad_value 2:1"],
    ],
    [
      "with an include in its body",
      http({ url: "https://sms.example.com", body: "{% include 'a' %}" }),
      ["/settings/body not_allowed 1:1"],
    ],
    ["with credentials in its URL", http({ url: "https://u:p@sms.example.com" }), ["/settings/url bad_value"]],
    [
      "with a header of its own signature",
      http({ url: "https://sms.example.com", headers: { "Webhook-Id": "1" } }),
      ["/settings/headers/Webhook-Id bad_value"],
    ],
    [
      "with a newline in a header",
      http({ url: "https://sms.example.com", headers: { accept: "a\r\nb" } }),
      ["/settings/headers/accept bad_value"],
    ],
  ])("%s", async (_, body, details) => {
    expect(problems(await call("POST", "/v2/transports", body))).toEqual([422, "VALIDATION_ERROR", ...details]);
  });

  test.each(["127.0.0.1", "localhost", "10.1.2.3", "::1", "169.254.169.254", "LOCALHOST.", "mail.localhost"])(
    "when its host or URL is the private address %s",
    async (host) => {
      expect(problems(await call("POST", "/v2/transports", smtp({ host })))).toEqual([
        422,
        "VALIDATION_ERROR",
        "/settings/host not_allowed",
      ]);
      const url = `http://${host.includes(":") ? `[${host}]` : host}:8025/`;
      expect(problems(await call("POST", "/v2/transports", http({ url })))).toEqual([
        422,
        "VALIDATION_ERROR",
        "/settings/url not_allowed",
      ]);
    },
  );

  test("when its channel or type would change", async () => {
    const url = await make(smtp({}));
    expect(problems(await call("PUT", url, { channel: "sms", type: "log" }))).toEqual([
      422,
      "VALIDATION_ERROR",
      "/channel not_allowed",
      "/type not_allowed",
    ]);
    expect((await call("PUT", url, { channel: "email", type: "smtp" })).status).toBe(200);
  });
});

test("what the operator allows is reached: private addresses, and in development a default that only logs", async () => {
  const open = await startService({ transportOutbound: createOutbound({ allow: ["127.0.0.0/8"] }) });
  const mine = await open.account();
  const as = await open.key(mine.account, { scopes: ["write", "admin"] });
  const post = (body: object) => open.call(as, "/v2/transports", { method: "POST", body });
  expect((await post(smtp({ host: "127.0.0.1" }))).status).toBe(201);
  expect((await post(smtp({ host: "10.0.0.1" }))).status).toBe(422);
  expect((await post({ name: "log", channel: "email", type: "log", default: true })).status).toBe(201);
  await open.stop();
  const strict = await startService({ plainHttp: "trusted-proxy", trustedProxies: ["127.0.0.1"] });
  const theirs = await strict.account();
  const by = await strict.key(theirs.account, { scopes: ["write", "admin"] });
  const headers = { "x-forwarded-proto": "https" };
  const body = { name: "log", channel: "email", type: "log", default: true };
  const refused = await strict.call(by, "/v2/transports", { method: "POST", body, headers });
  expect(problems(refused)).toEqual([422, "VALIDATION_ERROR", "/default not_allowed"]);
  await strict.stop();
});
