import { createClickHouse } from "@headwater/clickhouse/clickhouse";
import { createLogger } from "@headwater/kernel";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Called, type CallOptions, nowMs, type Running, startService, storedTime } from "../service/running.ts";
import { AT, seedContacts } from "../service/seed.ts";
import { cid, seedAnalytics } from "./analyticsWorld.ts";

type Signed = Awaited<ReturnType<Running["account"]>>;

let service: Running;
let mine: Signed;
let other: Signed;

beforeAll(async () => {
  service = await startService();
  mine = await service.account();
  other = await service.account();
  await seedAnalytics(service, mine.account, 10);
  await seedAnalytics(service, other.account, 20);
});

afterAll(() => service.stop());

const get = (url: string, key = mine.key) => service.call(key, url);
const count = (body: unknown, options: CallOptions = {}, key = mine.key) =>
  service.call(key, "/v2/audiencecount", { method: "POST", body, ...options });
const records = ({ body }: Called): string[] => body.data.map(({ id }: { id: string }) => id);

describe("GET /v2/contactactivities", () => {
  test("shows the latest first, each with its live contact, and how fresh the store is", async () => {
    const before = nowMs();
    const { status, body } = await get(
      "/v2/contactactivities?sort_dir=asc&contactFields[]=color&contactFields[]=identifiers.email",
    );
    expect(status).toBe(200);
    expect(body.data[0]).toEqual({
      id: "r:0:0",
      action: "browse",
      cID: cid(11),
      email: "ada@example.com",
      time: "2026-01-09T22:47:12.000Z",
      first: true,
      properties: { index: 0, category: "Shoes" },
      geo: { city: "Bonn" },
      device: { type: "Mobile" },
      contactFields: { color: "red", "identifiers.email": "ada@example.com" },
    });
    expect(body.data[1]).toMatchObject({ id: "r:1:0", cID: cid(11), mcID: "acc:m1:batch:1:1", bmID: "m1" });
    expect(Date.parse(body.asOf)).toBeGreaterThanOrEqual(before - 5_000);
  });

  test("pages by cursor and by page, every activity once though some are stored twice", async () => {
    const all = records(await get("/v2/contactactivities"));
    expect(all).toHaveLength(12);
    for (const perPage of [1, 5, 11, 12]) {
      const seen: string[] = [];
      let url: string | undefined = `/v2/contactactivities?per_page=${perPage}&return_count=true`;
      while (url !== undefined) {
        const answer: Called = await get(url);
        expect(answer.body.pagination.total).toBe(12);
        seen.push(...records(answer));
        url = /^<(.*)>; rel="next"$/.exec(String(answer.headers.link ?? ""))?.[1];
      }
      expect(seen).toEqual(all);
    }
    expect(records(await get("/v2/contactactivities?per_page=5&page=2"))).toEqual(all.slice(5, 10));
    expect(records(await get("/v2/contactactivities?sort_dir=asc"))).toEqual(all.toReversed());
  });

  test.each([
    ["action=open", 6],
    ["action=none", 0],
    [`cID=${cid(11)}`, 8],
    [`cID=${cid(12)}`, 8],
    ["email=ada@example.com", 8],
    ["email=nobody@example.com", 0],
    [`cID=${cid(21)}`, 0],
    ["mcID=acc:m1:batch:1:1", 3],
    ["mdtID=m1", 3],
    ["time[gte]=2026-01-09T22:47:14Z", 8],
    ["time[gt]=2026-01-09T22:47:14Z", 6],
    ["time[lt]=2026-01-09T22:47:14Z", 4],
    ["time[lte]=2026-01-09T22:47:14Z&action=open", 3],
    ["email=ada@example.com&action=browse&time[lt]=2026-01-09T22:47:13Z", 1],
  ])("filters by %s", async (filter, total) => {
    const { status, body } = await get(`/v2/contactactivities?return_count=true&${filter}`);
    expect([status, body.data.length, body.pagination.total]).toEqual([200, total, total]);
  });

  test("an activity that came twice is shown as it came first, before a merge of parts and after", async () => {
    const { account, key } = await service.account();
    await seedContacts(service.postgres, account, [{ number: 51, cid: cid(51) }]);
    const time = storedTime(AT);
    const row = (record: string, ingestedMs: number) => ({
      contact: 51,
      action: "open",
      time,
      ingested: storedTime(ingestedMs),
      uid: "twice",
      record,
      properties: "{}",
    });
    await service.insert("activities", account, [row("r:1:0", AT + 1_000)]);
    await service.insert("activities", account, [row("r:2:0", AT + 2_000)]);
    const view = async () => records(await get("/v2/contactactivities", key));
    expect(await view()).toEqual(["r:1:0"]);
    await service.clickHouse.command("OPTIMIZE TABLE activities FINAL");
    expect(await view()).toEqual(["r:1:0"]);
  });

  test("the first of a contact's activities of an action and message is marked", async () => {
    const { body } = await get("/v2/contactactivities?sort_dir=asc&action=browse&fields=id,first");
    const firsts = body.data.filter(({ first }: { first: boolean }) => first).map(({ id }: { id: string }) => id);
    expect(firsts).toEqual(["r:0:0", "r:2:0", "r:4:0"]);
  });

  test.each([
    ["per_page=501", 422, "VALIDATION_ERROR"],
    ["page=401&per_page=25", 422, "VALIDATION_ERROR"],
    ["sort_by=action", 400, "BAD_REQUEST"],
    ["time[gt]=soon", 400, "BAD_REQUEST"],
    ["time=2026-01-09", 400, "BAD_REQUEST"],
    ["cursor=x", 400, "INVALID_CURSOR"],
    ["fields=colour", 400, "BAD_REQUEST"],
    ["action=%00", 400, "BAD_REQUEST"],
    ["after=x", 400, "BAD_REQUEST"],
  ])("refuses %s", async (query, status, code) => {
    const answer = await get(`/v2/contactactivities?${query}`);
    expect([answer.status, answer.body.code]).toEqual([status, code]);
  });

  test("never shows another account's activities", async () => {
    const { body } = await get("/v2/contactactivities?per_page=100", other.key);
    expect(new Set(body.data.map(({ cID }: { cID: string }) => cID))).toEqual(new Set([cid(21), cid(23)]));
  });
});

describe("POST /v2/audiencecount", () => {
  test("counts bare criteria and wrapped ones, and echoes the options as used", async () => {
    const bare = await count({ field: "attributes.color", op: "eq", value: "red", timezone: "europe/berlin" });
    expect(bare.status).toBe(200);
    expect(bare.body).toMatchObject({
      count: 1,
      exact: true,
      options: { basis: "recorded", timezone: "Europe/Berlin" },
    });
    expect(Object.keys(bare.body).sort()).toEqual(["asOf", "count", "exact", "options"]);
    const criteria = { event: "browse", count: { op: "gte", value: 4 } };
    expect((await count({ criteria, asOf: "2026-11-01", basis: "event" })).body).toMatchObject({
      count: 1,
      options: { asOf: "2026-11-01T00:00:00.000Z", basis: "event" },
    });
  });

  test("explains each node and samples cIDs when asked", async () => {
    const { body } = await count({
      criteria: { and: [{ list: "VIP", op: "in" }, { not: { event: "open" } }] },
      explain: true,
      sampleSize: 2,
    });
    expect(body.explain).toEqual([
      { path: "/criteria", count: 0 },
      { path: "/criteria/and/0", count: 1 },
      { path: "/criteria/and/1", count: 0 },
      { path: "/criteria/and/1/not", count: 2 },
    ]);
    expect(body.sample).toEqual([]);
    expect((await count({ and: [], sampleSize: 20 })).body.sample.sort()).toEqual([cid(11), cid(13)]);
  });

  test("keeps those who may be mailed with eligibleFor", async () => {
    const eligible = (channel: string, classification: string) =>
      count({ and: [], eligibleFor: { channel, classification } }).then(({ body }) => body.count);
    expect(await eligible("email", "transactional")).toBe(1);
    expect(await eligible("email", "promotional")).toBe(0);
    expect(await eligible("whatsapp", "transactional")).toBe(0);
  });

  test("knows channels that only the data name", async () => {
    const status = { field: "channels.whatsapp.subscribeStatus", op: "eq", value: "subscribed" };
    expect((await count(status)).body.count).toBe(1);
    expect((await count({ ...status, field: "channels.fax.subscribeStatus" })).status).toBe(422);
  });

  test("lists all errors of the criteria with pointers", async () => {
    const { status, body } = await count({
      and: [
        { field: "attributes.colour", op: "eq", value: "red" },
        { list: "none", op: "in" },
        { event: "x", where: [{ field: "a", op: "is" }] },
      ],
    });
    expect([status, body.code]).toEqual([422, "INVALID_AUDIENCE_RULES"]);
    expect(body.details.map(({ path, code }: { path: string; code: string }) => [path, code])).toEqual([
      ["/and/0/field", "unknown_field"],
      ["/and/1/list", "unknown_reference"],
      ["/and/2/where/0/op", "unknown_operator"],
    ]);
    expect(body.details[0].allowed[0]).toBe("attributes.color");
  });

  test("what only the store recognizes as no regular expression is the caller's error", async () => {
    const matches = (value: string) => ({ field: "attributes.color", op: "regex", value });
    const { status, body } = await count({ criteria: { or: [matches("^r"), { not: matches("\\pQ+") }] } });
    expect([status, body.code]).toEqual([422, "INVALID_AUDIENCE_RULES"]);
    expect(body.details).toMatchObject([{ path: "/criteria/or/1/not/value", code: "bad_value" }]);
  });

  test.each<[object, string, string]>([
    [{ and: [], asOf: "soon" }, "/asOf", "bad_value"],
    [{ and: [], timezone: "Mars" }, "/timezone", "bad_value"],
    [{ and: [], explain: "yes" }, "/explain", "type_mismatch"],
    [{ and: [], basis: "guess" }, "/basis", "bad_value"],
    [{ and: [], sampleSize: 21 }, "/sampleSize", "out_of_range"],
    [{ and: [], eligibleFor: "email" }, "/eligibleFor", "type_mismatch"],
    [{ and: [], eligibleFor: { channel: "email" } }, "/eligibleFor/classification", "bad_value"],
    [
      { and: [], eligibleFor: { channel: "emial", classification: "transactional" } },
      "/eligibleFor/channel",
      "unknown_reference",
    ],
    [{ criteria: { and: [] }, asof: "2026-01-01" }, "/asof", "unknown_field"],
  ])("refuses the option of %o", async (body, path, code) => {
    const answer = await count(body);
    expect([answer.status, answer.body.code]).toEqual([422, "VALIDATION_ERROR"]);
    expect(answer.body.details).toMatchObject([{ path, code }]);
  });

  test.each<[string, CallOptions, number, string]>([
    ["no JSON", { text: "{" }, 400, "INVALID_JSON_PROVIDED"],
    ["an array", { text: "[]" }, 422, "VALIDATION_ERROR"],
    ["no criteria", { text: "{}" }, 422, "INVALID_AUDIENCE_RULES"],
    ["another type", { text: "{}", headers: { "content-type": "text/plain" } }, 415, "UNSUPPORTED_MEDIA_TYPE"],
    ["more than 1 MiB", { text: `{"and":"${"x".repeat(1_048_576)}"}` }, 413, "PAYLOAD_TOO_LARGE"],
    ["a saved audience that is not there", { text: '{"key":"x"}' }, 404, "RECORD_NOT_FOUND"],
    ["a NUL", { text: '{"field":"attributes.color","op":"eq","value":"\\u0000"}' }, 422, "VALIDATION_ERROR"],
  ])("answers a body that is %s", async (_, options, status, code) => {
    const answer = await service.call(mine.key, "/v2/audiencecount", { method: "POST", ...options });
    expect([answer.status, answer.body.code]).toEqual([status, code]);
  });

  test("counts two contacts that were merged as one from the very next count on", async () => {
    const { account, key } = await service.account();
    const time = storedTime(AT);
    const rows = [31, 32].map((contact) => ({ contact, action: "browse", time, ingested: time, uid: `u${contact}` }));
    const contact = { created_at: time, modified_at: time, version: "", merged_into: 0, deleted: 0, revision: 1 };
    await service.insert("contacts_current", account, [
      { contact: 31, cid: cid(31), ...contact },
      { contact: 32, cid: cid(32), ...contact },
    ]);
    await service.insert("activities", account, rows);
    const counts = async () => {
      const rules = [{ event: "browse" }, { event: "browse", count: { op: "gte", value: 2 } }, { and: [] }];
      return Promise.all(rules.map((rule) => count(rule, {}, key).then(({ body }) => body.count)));
    };
    expect(await counts()).toEqual([2, 0, 2]);
    // The alias comes first; the row that says so of the contact itself follows.
    await service.insert("contact_aliases", account, [{ contact: 32, survivor: 31, revision: 2 }]);
    expect(await counts()).toEqual([1, 1, 1]);
    expect(await counts()).toEqual([1, 1, 1]);
  });

  test("never counts another account's contacts", async () => {
    await service.insert("contacts_current", other.account, [
      {
        contact: 99,
        cid: cid(99),
        created_at: storedTime(AT),
        modified_at: storedTime(AT),
        version: "",
        merged_into: 0,
        deleted: 0,
        revision: 1,
      },
    ]);
    expect((await count({ and: [] })).body.count).toBe(2);
    expect((await count({ and: [] }, {}, other.key)).body.count).toBe(3);
    expect((await count({ and: [], sampleSize: 20 }, {}, other.key)).body.sample).not.toContain(cid(11));
  });
});

test("reads of ClickHouse answer 503 with Retry-After while it is away, and those of Postgres go on", async () => {
  const logger = createLogger({ name: "away", level: "silent" });
  const clickHouse = createClickHouse({ url: "http://127.0.0.1:9/none", requestTimeoutMs: 2_000, logger });
  const away = await startService({ clickHouse });
  const { account, key } = await away.account();
  await seedContacts(away.postgres, account, [{ number: 1, cid: cid(1) }]);
  expect((await away.call(key, `/v2/contacts/${cid(1)}`)).status).toBe(200);
  const answers = [
    await away.call(key, "/v2/contactactivities"),
    await away.call(key, "/v2/audiencecount", { method: "POST", body: { and: [] } }),
    await away.call(undefined, "/v2/health"),
  ];
  for (const { status, body, headers } of answers) {
    expect([status, body.code]).toEqual([503, "SERVICE_UNAVAILABLE"]);
    expect(Number(headers["retry-after"])).toBeGreaterThan(0);
  }
  await clickHouse.close();
  await away.stop();
});
