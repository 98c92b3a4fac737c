import { serveService } from "@headwater/service/testService";
import { expect, test } from "vitest";
import { EVENT_TRIGGERS_MAX } from "./resolveTriggers.ts";
import { requestExample as createExample } from "./routes/createTemplate.ts";
import { messageExample } from "./templateView.ts";
import { defaultTriggers } from "./triggers.ts";

const service = serveService(["automationtemplates"]);
const { send } = service;
const key = "welcome-2026";
const params = { key, contactID: "email:ada@example.com" };

test("a template is created, published, rendered, sent and deleted", async () => {
  await send("createContact", { body: { channels: { email: { address: "ada@example.com" } } } });
  const transport = { name: "Out", channel: "email", type: "log", default: true, settings: {} };
  await send("createTransport", { body: transport });
  expect((await send("createTemplate")).status).toBe(201);
  expect(await send("getTemplate", { params })).toMatchObject({ status: 200, body: { name: "Welcome" } });
  expect(await send("listTemplates")).toMatchObject({ status: 200, body: { data: [{ key }] } });
  expect((await send("updateTemplate", { params })).status).toBe(200);
  expect(await send("renderTemplatedraft", { params })).toMatchObject({ status: 200 });
  expect((await send("publishTemplate", { params })).status).toBe(200);
  expect((await send("renderTemplate", { params })).status).toBe(200);
  expect((await send("sendTemplate", { params, body: { to: { email: "ada@example.com" } } })).status).toBe(200);
  expect((await send("sendTemplatedraft", { params, body: { to: { email: "ada@example.com" } } })).status).toBe(200);
  expect((await send("listTemplatesends", { params })).status).toBe(200);
  expect((await send("deleteTemplate", { params })).status).toBe(200);
  expect((await send("getTemplate", { params })).status).toBe(404);
});

test.each([
  "getTemplate",
  "updateTemplate",
  "deleteTemplate",
  "publishTemplate",
  "renderTemplatedraft",
  "renderTemplate",
  "sendTemplate",
  "sendTemplatedraft",
  "listTemplatesends",
  "getTemplateexperiment",
])("%s answers 404 for an unknown key", async (operation) => {
  expect((await send(operation, { params: { ...params, key: "nobody" } })).status).toBe(404);
});

test("a template is sent while its API trigger is enabled, and tested always", async () => {
  await send("createContact", { body: { channels: { email: { address: "ada@example.com" } } } });
  await send("createTransport", { body: { name: "Out", channel: "email", type: "log", default: true, settings: {} } });
  const to = { to: { email: "ada@example.com" } };
  const view = async () => (await send("getTemplate", { params })).body;
  await send("createTemplate");
  expect(await view()).toMatchObject({ triggers: defaultTriggers, triggerTypesEnabled: ["api"] });

  const off = { message: messageExample, triggers: { api: { enabled: false } } };
  expect((await send("updateTemplate", { params, body: off })).status).toBe(200);
  expect(await view()).toMatchObject({ triggers: { ...defaultTriggers, ...off.triggers }, triggerTypesEnabled: [] });
  const details = [{ path: "/triggers/api/enabled", code: "not_allowed" }];
  expect(await send("sendTemplate", { params, body: to })).toMatchObject({ status: 422, body: { details } });
  expect((await send("sendTemplatedraft", { params, body: to })).status).toBe(200);

  expect((await send("updateTemplate", { params, body: { message: messageExample } })).status).toBe(200);
  expect(await view()).toMatchObject({ triggerTypesEnabled: [] });
  const on = { message: messageExample, triggers: { api: { enabled: true } } };
  expect((await send("updateTemplate", { params, body: on })).status).toBe(200);
  expect((await send("sendTemplate", { params, body: to })).status).toBe(200);
  await send("deleteTemplate", { params });
});

const longConditions = Array.from({ length: 17 }, () => ({ field: "sku", op: "eq", value: "x".repeat(1_000) }));
test.each([
  [{ event: { enabled: true } }, "/triggers/event/action"],
  [{ event: { enabled: true, action: "message-sent" } }, "/triggers/event/action"],
  [{ event: { enabled: true, action: "x".repeat(41) } }, "/triggers/event/action"],
  [{ event: { enabled: true, action: "buy", where: [{ field: "sku", op: "is" }] } }, "/triggers/event/where/0"],
  [{ event: { enabled: true, action: "buy", when: [] } }, "/triggers/event/when"],
  [{ event: { enabled: true, action: "buy", where: longConditions } }, "/triggers/event/where"],
  [{ recurring: { enabled: true, audience: {} } }, "/triggers/recurring/schedule"],
  [{ recurring: { enabled: true, schedule: { cron: "0 9 * * *" } } }, "/triggers/recurring/audience"],
  [{ recurring: { enabled: false, schedule: { cron: "9 o'clock" } } }, "/triggers/recurring/schedule/cron"],
  [{ api: {} }, "/triggers/api/enabled"],
  [{ cron: { enabled: false } }, "/triggers/cron"],
])("the triggers %j are refused", async (triggers, path) => {
  const body = { ...createExample, triggers };
  const answer = await send("createTemplate", { body });
  expect(answer).toMatchObject({ status: 422, body: { details: [{ path }] } });
});

test("an account has at most a hundred event triggers that are on, whichever call enables the last one", async () => {
  const event = { enabled: true, action: "cart-left", where: [{ field: "total", op: "gte", value: 50 }] };
  const create = (name: string, more: object = {}) =>
    send("createTemplate", { body: { ...createExample, key: name, triggers: { event }, ...more } });
  for (let count = 1; count <= EVENT_TRIGGERS_MAX; count++) expect((await create(`t-${count}`)).status).toBe(201);
  const details = [{ path: "/triggers/event/enabled", code: "too_many" }];
  const refused = { status: 422, body: { details } };
  expect(await create("one-more")).toMatchObject(refused);
  expect((await create("one-more", { draftContent: true })).status).toBe(201);
  expect(await send("publishTemplate", { params: { ...params, key: "one-more" } })).toMatchObject(refused);
  const displayed = await send("getTemplate", { params: { ...params, key: "t-1" } });
  expect(displayed.body).toMatchObject({ triggers: { event }, triggerTypesEnabled: ["api", "event"] });
  await send("deleteTemplate", { params: { ...params, key: "t-1" } });
  expect((await send("publishTemplate", { params: { ...params, key: "one-more" } })).status).toBe(200);
});

test("an experiment has its numbers once it is published", async () => {
  const tests = [{ type: "split", enabled: true, variants: [{ name: "short" }, { name: "long" }] }];
  const body = { ...createExample, key: "tested", tests };
  const named = { params: { ...params, key: "tested" } };
  expect((await send("createTemplate", { body: { ...body, draftContent: true } })).status).toBe(201);
  expect((await send("getTemplateexperiment", named)).status).toBe(404);
  expect((await send("publishTemplate", named)).status).toBe(200);
  expect(await send("getTemplateexperiment", named)).toMatchObject({ status: 200, body: { strategy: "split" } });
  expect((await send("deleteTemplate", named)).status).toBe(200);
});

test("headers and contents that messages of the channel do not have are named, and a channel is meant in any case", async () => {
  const { fromEmail, ...headers } = messageExample.headers;
  const message = {
    headers: { ...headers, fromEmail, from: "Shop" },
    content: { ...messageExample.content, "application/json": "{}" },
  };
  const body = { ...createExample, key: "more", channel: "Email", message };
  const created = await send("createTemplate", { body });
  const ignored = ["/message/headers/from", "/message/content/application~1json"].map((path) =>
    expect.objectContaining({ path, code: "unknown_member" }),
  );
  expect([created.status, created.body.warnings]).toEqual([201, ignored]);
  const params = { key: "more" };
  expect((await send("getTemplate", { params })).body).toMatchObject({ channel: "email" });
  const sms = {
    channel: "sms",
    name: "Text",
    message: { headers: { subject: "Hi" }, content: { "text/plain": "Hi" } },
  };
  const without = { ...sms, classification: "promotional", message: null };
  expect((await send("createBatchmessage", { body: without })).status).not.toBe(500);
  const text = await send("createBatchmessage", { body: { ...sms, classification: "promotional" } });
  expect([text.status, text.body.warnings]).toEqual([
    201,
    [expect.objectContaining({ path: "/message/headers/subject" })],
  ]);
});

test("content that is no Liquid is refused with 422", async () => {
  const message = {
    headers: { subject: "{% if %}", fromEmail: "news@example.com" },
    content: { "text/html": "<p>Hello</p>" },
  };
  const body = { key: "broken", name: "Broken", channel: "email", classification: "transactional", message };
  expect((await send("createTemplate", { body })).status).toBe(422);
});

test("a promotional template needs its unsubscribe link only where it is sent to somebody", async () => {
  const withoutLink = { ...messageExample, content: { "text/html": "<p>Hello</p>" } };
  const promotional = { ...createExample, key: "offers", classification: "promotional", message: withoutLink };
  const offers = { key: "offers" };
  expect((await send("createTemplate", { body: promotional })).status).toBe(201);
  const subscribed = { email: { address: "eve@example.com", subscribeStatus: "subscribed" } };
  await send("createContact", { body: { channels: subscribed } });
  const sent = (to: object) => send("sendTemplate", { params: offers, body: { to } });
  expect(await sent({ email: "new@example.com" })).toMatchObject({
    status: 200,
    body: { messagecontacts: [{ accepted: false, error: "not-subscribed" }] },
  });
  const details = [{ path: "/message/content/text~1html", code: "required" }];
  const both = [{ email: "new@example.com" }, { email: "eve@example.com", city: "Paris" }];
  expect(await sent(both)).toMatchObject({ status: 422, body: { code: "VALIDATION_ERROR", details } });
  const eve = await send("getContact", { params: { primary_key: "email:eve@example.com" } });
  expect(eve.body.attributes, "nothing is written of a refused call").not.toHaveProperty("city");
});

test("a recipient's attribute of another type is refused where the body has it", async () => {
  await send("createAttribute", { body: { key: "dnum", name: "Number", type: "number" } });
  await send("createTemplate", { body: { ...createExample, key: "typed" } });
  const typed = { key: "typed" };
  for (const [to, path] of [
    [{ email: "a@b.example", dnum: "zz" }, "/to/dnum"],
    [[{ email: "a@b.example" }, { email: "c@b.example", dnum: "zz" }], "/to/1/dnum"],
  ] as const) {
    const { status, body } = await send("sendTemplate", { params: typed, body: { to } });
    expect([status, body.code]).toEqual([422, "ATTRIBUTE_TYPE_MISMATCH"]);
    expect(body.details).toMatchObject([{ path, code: "type_mismatch" }]);
  }
});

test("a template is refused whose sender is none of its transport's", async () => {
  const smtp = { host: "mail.example", fromDomains: ["other.example"] };
  const built = await send("createTransport", {
    body: { name: "Narrow", channel: "email", type: "smtp", default: false, settings: smtp },
  });
  const own = { key: "narrow" };
  const message = (fromEmail: string) => ({ ...messageExample, headers: { ...messageExample.headers, fromEmail } });
  const body = { ...createExample, ...own, message: message("news@example.com"), transportID: built.body.id };
  expect((await send("createTemplate", { body })).status).toBe(201);
  await send("publishTemplate", { params: own });
  const to = { to: { email: "ada@example.com" } };
  const details = [{ path: "/message/headers/fromEmail", code: "not_allowed" }];
  for (const call of ["sendTemplate", "sendTemplatedraft"]) {
    expect(await send(call, { params: own, body: to })).toMatchObject({ status: 422, body: { details } });
  }
  for (const fromEmail of ["news@Other.example", "news@{{ contact.attributes.shop }}"]) {
    await send("updateTemplate", { params: own, body: { message: message(fromEmail) } });
    await send("publishTemplate", { params: own });
    expect((await send("sendTemplate", { params: own, body: to })).status).toBe(200);
  }
});

test("attachments are refused on channels that carry none", async () => {
  await send("createTransport", { body: { name: "Sms", channel: "sms", type: "log", default: true, settings: {} } });
  const own = { key: "short" };
  const message = { headers: { from: "Shop" }, content: { "text/plain": "Hi" } };
  expect((await send("createTemplate", { body: { ...createExample, ...own, channel: "sms", message } })).status).toBe(
    201,
  );
  await send("publishTemplate", { params: own });
  const body = { to: { phone: "+4915112345678" } };
  const attachments = [{ filename: "a.txt", contentType: "text/plain", content: "YQ==" }];
  expect(await send("sendTemplate", { params: own, body: { ...body, attachments } })).toMatchObject({
    status: 422,
    body: { details: [{ path: "/attachments", code: "not_allowed" }] },
  });
  expect((await send("sendTemplate", { params: own, body: { ...body, attachments: [] } })).status).toBe(200);
});

test("recipients that are neither an object nor an array are told both forms", async () => {
  const refused = await send("sendTemplate", { params: { key: "welcome" }, body: { to: "ada@x.example" } });
  expect([refused.status, refused.body.details]).toMatchObject([
    422,
    [{ path: "/to", code: "type_mismatch", message: "`to` must be an object or an array." }],
  ]);
});

test("an entry names a saved audience that exists, which is then in use, and a call's sends wait for the answer", async () => {
  const entry = { audience: "insiders" };
  const body = { ...createExample, key: "inside", classification: "transactional", entry };
  const unknown = await send("createTemplate", { body });
  expect(unknown).toMatchObject({ status: 422, body: { details: [{ path: "/entry/audience" }] } });
  const { number } = service.account;
  const audience = `INSERT INTO audiences (account, id, key, name, criteria, lists, created_at, updated_at)
    VALUES ($1, 'insiders-id', 'insiders', 'Insiders', '{"list": 1, "op": "in"}', '{}', 0, 0)`;
  await service.postgres.execute({ text: audience }, [number]);
  expect((await send("createTemplate", { body })).status).toBe(201);
  const uses = "SELECT kind, user_id FROM audience_uses WHERE account = $1 AND audience = 'insiders-id'";
  const used = () => service.postgres.query<{ kind: string }>({ text: uses }, [number]);
  expect(await used()).toEqual([{ kind: "automationtemplate", user_id: "inside" }]);
  const named = { key: "inside" };
  await send("createContact", { body: { channels: { email: { address: "ivy@example.com" } } } });
  const sent = await send("sendTemplate", { params: named, body: { to: { email: "ivy@example.com" } } });
  expect(sent).toMatchObject({ status: 200, body: { messagecontacts: [{ accepted: true }] } });
  const held = `SELECT count(*) AS held FROM sends s JOIN template_entry_questions q USING (account, want, contact)
    WHERE s.account = $1 AND s.due_at > s.created_at`;
  expect(await service.postgres.query<{ held: number }>({ text: held }, [number])).toEqual([{ held: 1 }]);
  expect((await send("updateTemplate", { params: named, body: { ...body, entry: null } })).status).toBe(200);
  expect(await used()).toEqual([]);
});
