import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Called } from "../../service/running.ts";
import { email, NOTHING_SENT, problems } from "../templates/templateWorld.ts";
import { CID, EVERYBODY, type MessageWorld, message, messageWorld, ROOT, UNSUBSCRIBE } from "./messageWorld.ts";

let world: MessageWorld;
const call = (...input: Parameters<MessageWorld["call"]>) => world.call(...input);
const make = (more?: object) => world.make(more);
/** Creates a message that is refused. @returns status, code and details. */
const refused = async (more: object) => problems(await call("POST", ROOT, message(more)));

beforeAll(async () => {
  world = await messageWorld();
});
afterAll(() => world.service.stop());

describe("a draft of a batch message", () => {
  test("is created, shown and deleted, with what it says of itself", async () => {
    const headers = { "idempotency-key": "once" };
    const body = message({
      name: "Sale",
      tags: ["a"],
      priority: 4,
      bcc: "a@b.c",
      entry: { holdoutPercent: 5 },
    });
    const created = await call("POST", ROOT, body, undefined, headers);
    const { id } = created.body;
    expect([created.status, created.body]).toEqual([201, { success: true, bmID: id, id, status: "draft" }]);
    expect(id).toMatch(/^[0-9a-f]{24}$/);
    expect((await call("POST", ROOT, body, undefined, headers)).body).toEqual(created.body);
    const view = await call("GET", `${ROOT}/${id}`);
    expect(view.headers.etag).toBe(created.headers.etag);
    expect(view.body).toEqual({
      ...{ ...body, accountID: world.account.id, id, bmID: id, status: "draft" },
      ...{ scheduleType: "account", sendTimeType: "immediate", trackLinks: "enabled", trackOpens: true },
      ...{ bccEnabled: false, strict: false, allowEmpty: false, tests: [], ct: view.body.ct, lm: view.body.ct },
      ...{ alerts: [], stats: NOTHING_SENT, asOf: expect.stringMatching(/^2\d{3}-.*Z$/) },
    });
    expect((await call("GET", `${ROOT}/${id}?fields=id,priority`)).body).toEqual({ id, priority: 4 });
    expect((await call("DELETE", `${ROOT}/${id}`)).body).toEqual({ success: true });
    for (const [method, path] of [
      ["GET", ""],
      ["PUT", ""],
      ["DELETE", ""],
      ["GET", `/renderedwip/${CID}`],
    ] as const) {
      const gone = await call(method, `${ROOT}/${id}${path}`, method === "PUT" ? {} : undefined);
      expect([gone.status, gone.body.code]).toEqual([404, "RECORD_NOT_FOUND"]);
    }
  });

  test("takes updates that come at once one after another, and of one version a single one", async () => {
    const id = await make();
    const put = async (name: string, headers = {}) =>
      (await call("PUT", `${ROOT}/${id}`, { name }, undefined, headers)).status;
    const names = ["one", "two", "three", "four"];
    expect(await Promise.all(names.map((name) => put(name)))).toEqual([200, 200, 200, 200]);
    const seen = { "if-match": String((await call("GET", `${ROOT}/${id}`)).headers.etag) };
    const answers = await Promise.all(names.map((name) => put(`${name} more`, seen)));
    expect(answers.toSorted()).toEqual([200, 409, 409, 409]);
  });

  test("is updated member by member, and only as it was seen", async () => {
    const id = await make({ name: "one", tags: ["a"], schedule: "2040-06-01T09:00:00+02:00" });
    const put = (body: object, headers = {}) => call("PUT", `${ROOT}/${id}`, body, undefined, headers);
    const first = await put({ tags: null, channel: "sms", message: { content: { "text/plain": "Hi" } } });
    expect(first.body).toEqual({ success: true, bmID: id, id, status: "draft" });
    const displayed = (await call("GET", `${ROOT}/${id}`)).body;
    expect(displayed).toMatchObject({ name: "one", channel: "sms", message: { content: { "text/plain": "Hi" } } });
    expect([displayed.tags, displayed.schedule, displayed.sendTimeType]).toEqual([
      undefined,
      "2040-06-01T07:00:00.000Z",
      "scheduled",
    ]);
    expect((await put({ schedule: null, name: null })).headers.etag).not.toBe(first.headers.etag);
    expect((await call("GET", `${ROOT}/${id}`)).body).not.toMatchObject({ schedule: expect.anything() });
    const stale = { "if-match": String(first.headers.etag) };
    expect((await put({ name: "two" }, stale)).body.code).toBe("VERSION_CONFLICT");
    expect((await call("DELETE", `${ROOT}/${id}`, undefined, undefined, stale)).body.code).toBe("VERSION_CONFLICT");
    expect(problems(await put({ channel: "email" }))).toEqual([
      422,
      "VALIDATION_ERROR",
      ...["subject", "fromEmail", "fromDesc", "replyEmail"].map((name) => `/message/headers/${name} required`),
      "/message/content/text~1html required",
    ]);
  });

  test("gets the usual value of what is null, and loses what may be absent", async () => {
    const variants = [{ name: "a" }, { name: "b" }];
    const id = await make({
      ...{ priority: 4, trackLinks: "disabled", bccEnabled: true, strict: true, entry: { holdoutPercent: 5 } },
      ...{ scheduleType: "contact", schedule: "2040-01-01", tests: [{ type: "split", enabled: true, variants }] },
    });
    const nothing = { scheduleType: null, trackLinks: null, trackOpens: null, priority: null, bccEnabled: null };
    const none = { strict: null, allowEmpty: null, entry: null, tests: null, schedule: null, sendTimeType: null };
    const put = await call("PUT", `${ROOT}/${id}`, { ...nothing, ...none, message: null });
    expect([put.status, put.body.status]).toEqual([200, "draft"]);
    const { message: content, ...visible } = (await call("GET", `${ROOT}/${id}`)).body;
    expect(content).toBeUndefined();
    expect(visible).toMatchObject({
      ...{ scheduleType: "account", trackLinks: "enabled", trackOpens: true, priority: 2, bccEnabled: false },
      ...{ strict: false, allowEmpty: false, entry: {}, tests: [], sendTimeType: "immediate" },
    });
    expect(await refused({ classification: null })).toEqual([422, "VALIDATION_ERROR", "/classification bad_value"]);
  });

  test("is seen by its account alone", async () => {
    const id = await make();
    const methods = [["GET"], ["PUT", {}], ["DELETE"]] as const;
    for (const [method, body] of methods) {
      expect((await call(method, `${ROOT}/${id}`, body, world.otherKey)).status).toBe(404);
    }
    expect((await call("GET", `${ROOT}/${id}/renderedwip/${CID}`, undefined, world.otherKey)).status).toBe(404);
    expect((await call("GET", ROOT, undefined, world.otherKey)).body.data).toEqual([]);
  });

  test("names each mistake with its place", async () => {
    expect(problems(await call("POST", ROOT, {}))).toEqual([
      422,
      "VALIDATION_ERROR",
      "/channel required",
      "/classification required",
    ]);
    const html = email("<p>{{ contact.x | nope }}</p>", { replyEmail: "a@example.com" });
    expect(await refused({ message: html })).toEqual([
      422,
      "VALIDATION_ERROR",
      "/message/content/text~1html bad_value 1:4",
    ]);
    expect(await refused({ audience: { field: "cID", op: "is" } })).toEqual([
      422,
      "INVALID_AUDIENCE_RULES",
      "/audience/op unknown_operator",
    ]);
    const wrongs = [
      [{ "audience-key": "none", audience: null }, "/audience-key unknown_reference"],
      [{ "audience-key": "none" }, "/audience not_allowed"],
      [{ schedule: "tomorrow" }, "/schedule bad_value"],
      [{ schedule: "2040-01-01", sendTimeType: "immediate" }, "/sendTimeType bad_value"],
      [{ sendTimeType: "scheduled" }, "/sendTimeType bad_value"],
      [{ transportID: "65f0c0ffee65f0c0ffee0999" }, "/transportID unknown_reference"],
      [{ entry: { holdoutPercent: 101 } }, "/entry/holdoutPercent out_of_range"],
      [{ priority: 5 }, "/priority out_of_range"],
      [{ onUnknown: "maybe" }, "/onUnknown bad_value"],
    ] as const;
    for (const [more, detail] of wrongs) expect((await refused(more)).slice(1)).toEqual(["VALIDATION_ERROR", detail]);
  });
});

describe("the list of batch messages", () => {
  test("is filtered by state, tag and time, and read page by page", async () => {
    for (const name of ["b", "c", "a"]) await make({ name, tags: ["listed", name] });
    const namesOf = async (query: string) => {
      const all: string[] = [];
      let url: string | undefined = `${ROOT}?per_page=2&fields=name&${query}`;
      while (url !== undefined) {
        const answer: Called = await call("GET", url);
        all.push(...answer.body.data.map((row: { name: string }) => row.name));
        url = /^<(.*)>; rel="next"$/.exec(String(answer.headers.link ?? ""))?.[1];
      }
      return all;
    };
    expect(await namesOf("tags=listed")).toEqual(["b", "c", "a"]);
    expect(await namesOf("tags=listed&sort_dir=desc&status=draft")).toEqual(["a", "c", "b"]);
    expect(await namesOf("tags=a,b&ct[gte]=2020-01-01")).toEqual(["b", "a"]);
    for (const none of ["ct[lt]=2020-01-01", "sendTime[gt]=2020-01-01", "status=sent", "status=tz-processing"])
      expect(await namesOf(`tags=listed&${none}`)).toEqual([]);
    for (const children of ["mdtID=65f0c0ffee65f0c0ffee00d1", "triggers[event][enabled]=true"])
      expect(await namesOf(`tags=listed&${children}`)).toEqual([]);
    expect((await call("GET", `${ROOT}?status=nope`)).status).toBe(400);
    const whole = await call("GET", `${ROOT}?tags=a&return_count=true`);
    expect(whole.body).toMatchObject({ data: [{ message: message().message }], pagination: { total: 1 } });
  });
});

describe("what a batch message names", () => {
  test("cannot be deleted while it is named", async () => {
    const audience = { key: "everybody", name: "Everybody", criteria: EVERYBODY };
    await call("POST", "/v2/audiences", audience);
    await call("POST", "/v2/includes", { key: "footer", content: UNSUBSCRIBE });
    const transport = await call("POST", "/v2/transports", {
      ...{ name: "Out", channel: "email", type: "smtp", settings: { host: "mail.example.com" } },
    });
    const transportID = String(transport.body.id);
    const html = email("<p>{% include 'footer' %}</p>", { replyEmail: "a@example.com" });
    const id = await make({ audience: null, "audience-key": "everybody", transportID, message: html });
    const paths = ["/v2/audiences/everybody", "/v2/includes/footer", `/v2/transports/${transportID}`];
    const codes = ["AUDIENCE_IN_USE", "INCLUDE_IN_USE", "TRANSPORT_IN_USE"];
    const used = async () => Promise.all(paths.map(async (path) => (await call("DELETE", path)).body));
    for (const [index, { code, details }] of (await used()).entries()) {
      expect([code, details[0].message]).toEqual([codes[index], `The batch message ${id} uses it.`]);
    }
    expect((await call("GET", `${ROOT}/${id}`)).body).toMatchObject({ "audience-key": "everybody", transportID });
    await call("PUT", `${ROOT}/${id}`, { audience: { audience: "everybody" } });
    expect((await used()).map(({ code }) => code)).toEqual(codes);
    await call("PUT", `${ROOT}/${id}`, { audience: EVERYBODY });
    expect((await call("DELETE", "/v2/audiences/everybody")).status).toBe(200);
    await call("DELETE", `${ROOT}/${id}`);
    expect((await used()).slice(1)).toEqual([{ success: true }, { success: true }]);
  });

  test("must carry its channel", async () => {
    const sms = { name: "Short", channel: "sms", type: "log", settings: {} };
    const transportID = String((await call("POST", "/v2/transports", sms)).body.id);
    expect(await refused({ transportID })).toEqual([422, "VALIDATION_ERROR", "/transportID bad_value"]);
  });
});

describe("a preview of a batch message", () => {
  const variants = [
    { name: "short", headers: { subject: "Hi" } },
    { name: "long", weight: 2, content: { "text/html": `<p>Long {{ contact.cID }}</p>${UNSUBSCRIBE}` } },
  ];
  const tests = [{ type: "split", enabled: true, name: "words", variants }];

  test("shows the variant that the contact gets, or the one that is named", async () => {
    const id = await make({ tests });
    const see = async (query = "") => (await call("GET", `${ROOT}/${id}/renderedwip/ada@example.com${query}`)).body;
    const named = async (variant: string) => see(`?experiment=words&variant=${variant}`);
    const shown = (variant: string) => [{ name: "words", strategy: "split", variants: ["short", "long"], variant }];
    const [short, long, own] = [await named("short"), await named("long"), await see()];
    expect([short.headers.subject, short.experiments]).toEqual(["Hi", shown("short")]);
    expect(short.content["text/html"]).toContain("<p>Hello</p>");
    expect(long.experiments).toEqual(shown("long"));
    expect(long.content["text/html"]).toContain(`<p>Long ${CID}</p>`);
    expect(own).toEqual(own.experiments[0].variant === "short" ? short : long);
  });

  test("refuses the names of experiments and variants that it does not have", async () => {
    const id = await make({ tests });
    const see = (query = "") => call("GET", `${ROOT}/${id}/renderedwip/ada@example.com${query}`);
    expect((await see("?variant=long")).status).toBe(400);
    expect(problems(await see("?experiment=words&variant=none"))).toEqual([
      400,
      "BAD_REQUEST",
      "/variant unknown_reference",
    ]);
    const bare = await make({ message: undefined });
    expect((await call("GET", `${ROOT}/${bare}/renderedwip/${CID}`)).body.details[0].path).toBe("/message");
  });

  test("has at most one test, with all that its type needs", async () => {
    const [, ...more] = variants;
    const test = { ...tests[0] };
    const wrongs = [
      [[test, test], ["/tests/1/enabled not_allowed"]],
      [[{ ...test, variants: undefined }], ["/tests/0/variants required"]],
      [[{ ...test, variants: [more[0], more[0]] }], ["/tests/0/variants/1/name bad_value"]],
      [[{ ...test, variants: more }], ["/tests/0/variants out_of_range"]],
      [[{ ...test, type: "bandit" }], ["/tests/0/metric required"]],
      [
        [{ ...test, type: "split-with-champion", metric: "revenue", testPercent: 100, decideAfterMinutes: 60 }],
        ["/tests/0/testPercent bad_value"],
      ],
      [
        [{ ...test, type: "split-with-champion", metric: "conversions" }],
        ["/tests/0/goal required", "/tests/0/testPercent required", "/tests/0/decideAfterMinutes required"],
      ],
      [
        [{ ...test, variants: [more[0], { name: "x", content: { "text/html": "{% if %}" } }] }],
        [expect.stringMatching(/^\/tests\/0\/variants\/1\/content\/text~1html bad_value 1:1$/)],
      ],
      [
        [
          { ...test, goal: { action: "buy", where: [{ field: "price", op: "near", value: 3 }] } },
          { type: "bandit", enabled: false, goal: { action: "buy", where: [{ field: "geo.citi", op: "exists" }] } },
        ],
        ["/tests/0/goal/where/0/op unknown_operator", "/tests/1/goal/where/0/field unknown_field"],
      ],
      [[{ ...test, variants: undefined, goal: { action: "" } }], ["/tests/0/goal/action out_of_range"]],
    ] as const;
    for (const [provided, details] of wrongs) expect((await refused({ tests: provided })).slice(2)).toEqual(details);
    expect(await make({ tests: [{ type: "split", enabled: false }] })).toMatch(/^[0-9a-f]{24}$/);
  });
});
