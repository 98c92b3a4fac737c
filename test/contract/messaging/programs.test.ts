import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Called, type CallOptions, type Running, startService } from "../service/running.ts";
import { knownCampaign } from "./messages/knownCampaign.ts";
import { loadCampaign } from "./messages/loadCampaign.ts";

type Signed = Awaited<ReturnType<Running["account"]>>;

let service: Running;
let mine: Signed;
let key: string;
let otherKey: string;
let program: string;

beforeAll(async () => {
  service = await startService();
  mine = await service.account({ timezone: "Europe/Berlin", currency: "EUR" });
  key = await service.key(mine.account, { scopes: ["programs:read", "programs:write"] });
  otherKey = await service.key((await service.account()).account, { scopes: ["read", "write", "admin"] });
  await loadCampaign(service.clickHouse, mine.account.number, knownCampaign);
  program = (await make({ name: "Spring", messages: { tags: ["spring"] } })).body.id;
});

afterAll(() => service.stop());

const call = (method: CallOptions["method"] & string, url: string, body?: unknown, as = key) =>
  service.call(as, url, { method, ...(body !== undefined && { body }) });
const make = (body: object, as = key) => call("POST", "/v2/programs", body, as);
const errorsOf = ({ status, body }: Called) => [
  status,
  body.code,
  ...body.details.map(({ path, code }: Record<string, string>) => `${path} ${code}`),
];

describe("programs", () => {
  test("name messages, orchestrations or both; `null` removes one, and the other stays", async () => {
    const { id } = (await make({ name: "News", messages: { ids: ["b1"], tags: [] }, orchestrations: null })).body;
    const url = `/v2/programs/${id}`;
    expect(id).toMatch(/^[0-9a-f]{24}$/);
    expect((await call("GET", url)).body).toMatchObject({ id, name: "News", messages: { ids: ["b1"], tags: [] } });
    expect((await call("PUT", url, { orchestrations: { ids: ["o1"] }, messages: null })).status).toBe(200);
    const { ct: _, lm: __, ...after } = (await call("GET", url)).body;
    expect(after).toEqual({ id, name: "News", orchestrations: { ids: ["o1"] } });
    expect(errorsOf(await call("PUT", url, { orchestrations: null }))).toEqual([
      ...[422, "VALIDATION_ERROR", "/messages required"],
    ]);
  });

  test.each<[string, object, string[]]>([
    ["no name", { messages: { ids: ["b1"] } }, ["/name required"]],
    ["an empty name", { name: "" }, ["/name out_of_range"]],
    ["nothing but a name", { name: "x" }, ["/messages required"]],
    ["empty lists", { name: "x", messages: { ids: [] }, orchestrations: { tags: [] } }, ["/messages required"]],
    ["a misspelled list alone", { name: "x", messages: { id: ["b1"] } }, ["/messages required"]],
    ["a text for a list", { name: "x", messages: { ids: "b1" } }, ["/messages/ids type_mismatch"]],
    [
      "too many ids",
      { name: "x", messages: { ids: Array.from({ length: 1_001 }, () => "b") } },
      ["/messages/ids too_many"],
    ],
    [
      "too much text",
      { name: "x", messages: { ids: Array.from({ length: 200 }, () => "b".repeat(400)) } },
      ["/messages too_long"],
    ],
  ])("a body with %s is refused, with what is wrong", async (_, body, details) => {
    expect(errorsOf(await make(body))).toEqual([422, "VALIDATION_ERROR", ...details]);
  });
});

const days = "start_date=2026-03-29&end_date=2026-03-30";
const summary = (query: string, id = program, as = key) =>
  call("GET", `/v2/programs/${id}/summary?${query}`, undefined, as);
const stats = (query: string, id = program, as = key) =>
  call("GET", `/v2/programs/${id}/stats?${query}`, undefined, as);

const batch = {
  ...{ sent: 4, delivered: 3, bounce_hard: 0, bounce_soft: 1, bounce_total: 1, opens: 2, opens_unique: 1 },
  ...{ opens_machine: 1, clicks: 1, clicks_unique: 1, clicks_machine: 0, opt_outs: 0, complaints: 0, orders: 4 },
  ...{ revenue: 18.34, delivered_rate: 0.75, bounce_rate: 0.25, open_rate: 0.3333, click_through_rate: 0.3333 },
  ...{ click_to_open_rate: 1, opt_out_rate: 0, complaint_rate: 0 },
};

describe("the summary of a program", () => {
  test("adds up what followed the sends of its days, in the account's zone and currency", async () => {
    const { status, body } = await summary(days);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      name: "Spring",
      query: { start_date: "2026-03-29", end_date: "2026-03-30", timezone: "Europe/Berlin" },
      asOf: expect.stringMatching(/Z$/),
    });
    // The contact that got the automated message twice opened one message: a unique is a contact and a message.
    expect(body.stats).toEqual({
      ...batch,
      ...{ sent: 6, delivered: 5, opens: 4, opens_unique: 2, opt_outs: 1 },
      ...{ delivered_rate: 0.8333, bounce_rate: 0.1667, open_rate: 0.4, click_through_rate: 0.2 },
      ...{ click_to_open_rate: 0.5, opt_out_rate: 0.2 },
    });
  });

  test("is of the messages of a channel where one is given", async () => {
    expect((await summary(`${days}&channel_key=email&channel_type=email`)).body.stats).toEqual(batch);
    const { query, stats: found } = (await summary(`${days}&channel_key=push`)).body;
    expect([query.channel_key, found.sent, found.open_rate]).toEqual(["push", 0, null]);
  });

  test("is zeros where nothing was sent, and for messages that nobody reported", async () => {
    const idle = { ...Object.fromEntries(Object.keys(batch).map((name) => [name, name.endsWith("rate") ? null : 0])) };
    expect((await summary("start_date=2026-03-28&end_date=2026-03-28")).body.stats).toEqual(idle);
    expect((await summary("start_date=2026-03-31&end_date=9999-12-31")).body.stats).toEqual(idle);
    const { id } = (await make({ name: "Silent", messages: { ids: ["never"] } })).body;
    expect((await summary("start_date=0000-01-01&end_date=9999-12-31", id)).body.stats).toEqual(idle);
    expect((await stats("start_date=2000-01-01&end_date=2099-12-31", id)).body).toMatchObject({
      data: [],
      pagination: { total: 0, last_page: 1, from: null, to: null, next_page_url: null },
    });
  });

  test("counts the messages that ids, keys and tags name, each once", async () => {
    const sent = async (members: object) => {
      const { id } = (await make({ name: "x", ...members })).body;
      return (await summary(days, id)).body.stats.sent;
    };
    expect(await sent({ messages: { ids: ["b1"] } })).toBe(4);
    expect(await sent({ messages: { keys: ["reminder"] } })).toBe(2);
    expect(await sent({ messages: { ids: ["b1"], keys: ["sale"], tags: ["spring"] } })).toBe(6);
    expect(await sent({ orchestrations: { ids: ["o1"], tags: ["spring"] } })).toBe(0);
  });
});

describe("the stats of a program", () => {
  test("have a row a message, of automated ones a row a day, newest first", async () => {
    const { body } = await stats(days);
    expect(body.data.map((row: { message_id: string }) => row.message_id)).toEqual(["d1:d260330", "d1:d260329", "b1"]);
    expect(body.data[2]).toEqual({
      ...{ message_id: "b1", message_key: "sale", orchestration_id: null, orchestration_name: null },
      ...{ subject: "Sale!", tags: ["spring"], channel_key: "email", channel_type: "email" },
      ...{ sent_at: "2026-03-28T23:00:00.000Z", stats: batch },
    });
    expect(body.data[0]).toMatchObject({ sent_at: "2026-03-29T22:00:00.000Z", tags: ["spring"], stats: { sent: 1 } });
    const first = (await stats("start_date=2026-03-29&end_date=2026-03-29")).body;
    expect(first.data.map((row: { message_id: string }) => row.message_id)).toEqual(["d1:d260329", "b1"]);
  });

  test("give the pages by their addresses and by cursor, each row once", async () => {
    const pages: Called["body"][] = [];
    let url: string | null = `/v2/programs/${program}/stats?${days}&per_page=2`;
    while (url !== null) {
      const { body }: Called = await call("GET", url);
      pages.push(body);
      url = body.pagination.next_page_url;
    }
    const [first, last] = pages.map(({ pagination }) => pagination);
    expect(pages.map(({ data }) => data.length)).toEqual([2, 1]);
    const base = `/v2/programs/${program}/stats?${days}&per_page=2`;
    expect(first).toEqual({
      ...{ total: 3, per_page: 2, current_page: 1, last_page: 2, from: 1, to: 2, prev_page_url: null },
      ...{ first_page_url: `${base}&page=1`, last_page_url: `${base}&page=2`, next_page_url: `${base}&page=2` },
      next_cursor: expect.any(String),
    });
    expect(last).toMatchObject({ current_page: 2, from: 3, to: 3, next_page_url: null, next_cursor: null });
    const byCursor = (await stats(`${days}&per_page=2&cursor=${first.next_cursor}`)).body;
    expect(byCursor.data).toEqual(pages[1]?.data);
    expect(byCursor.pagination).toMatchObject({ total: 3, current_page: null, from: 3, to: 3 });
    const beyond = (await stats(`${days}&per_page=2&page=9`)).body;
    expect([beyond.data, beyond.pagination.total, beyond.pagination.from]).toEqual([[], 3, null]);
  });

  test.each([
    ["", 400, ["BAD_REQUEST", "/start_date required", "/end_date required"]],
    ["start_date=2026-02-30&end_date=2026-03-01", 400, ["BAD_REQUEST", "/start_date bad_value"]],
    ["start_date=2026-03-01T00:00:00Z&end_date=2026-03-01", 400, ["BAD_REQUEST", "/start_date bad_value"]],
    ["start_date=2026-03-02&end_date=2026-03-01", 400, ["BAD_REQUEST", "/end_date out_of_range"]],
    [`${days}&per_page=501`, 422, ["VALIDATION_ERROR", "/per_page out_of_range"]],
    [`${days}&per_page=500&page=21`, 422, ["VALIDATION_ERROR", "/page use_cursor"]],
    [`${days}&zone=UTC`, 400, ["BAD_REQUEST", "/zone unknown_field"]],
  ])("refuse %j", async (query, status, errors) => {
    expect(errorsOf(await stats(query))).toEqual([status, ...errors]);
  });

  test("take a cursor of another program's, or of other days, for none of theirs", async () => {
    const cursor = (await stats(`${days}&per_page=1`)).body.pagination.next_cursor;
    for (const query of [`start_date=2026-03-29&end_date=2026-03-31&cursor=${cursor}`, `${days}&cursor=x`]) {
      const { status, body } = await stats(query);
      expect([status, body.code]).toEqual([400, "INVALID_CURSOR"]);
    }
  });

  test("are nobody else's: another account has neither the program nor its numbers", async () => {
    for (const url of [`/v2/programs/${program}`, `/v2/programs/${program}/summary?${days}`]) {
      expect((await call("GET", url, undefined, otherKey)).status).toBe(404);
    }
    expect((await stats(days, program, otherKey)).status).toBe(404);
    const { id } = (await make({ name: "Theirs", messages: { ids: ["b1"], tags: ["spring"] } }, otherKey)).body;
    expect((await summary(days, id, otherKey)).body.stats.sent).toBe(0);
    expect((await stats(days, id, otherKey)).body.data).toEqual([]);
    expect((await call("GET", "/v2/programs", undefined, otherKey)).body.data).toHaveLength(1);
  });
});
