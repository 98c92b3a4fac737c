import { publishEvents } from "@headwater/api/webhookEvents/publishEvents";
import { createOutbound, createSealer } from "@headwater/kernel";
import { serveService } from "@headwater/service/testService";
import { expect, test } from "vitest";

const sealer = createSealer([Buffer.alloc(32, 7)]);
const service = serveService(["webhooks"], {
  sealer,
  outbound: createOutbound({ allow: ["127.0.0.0/8", "::1"] }),
});
const { send } = service;
const SECRET = /^whsec_[A-Za-z0-9+/]{43}=$/;
const url = "https://hooks.example.com/a";
const create = (body: object, headers = {}) =>
  send("createWebhook", { body: { url, events: ["job.done"], ...body }, headers });

test("a webhook is created, read, listed, changed and deleted, and its secret is answered once", async () => {
  const created = await send("createWebhook", { headers: { "idempotency-key": "one" } });
  expect(created).toMatchObject({
    status: 201,
    body: { success: true, enabled: true, filter: { actions: ["purchase"] } },
  });
  expect(created.body.secret).toMatch(SECRET);
  const params = { id: String(created.body.id) };
  expect((await send("createWebhook", { headers: { "idempotency-key": "one" } })).body).toEqual(created.body);
  const { body: view } = await send("getWebhook", { params });
  expect(view).not.toHaveProperty("secret");
  expect(view).toMatchObject({ description: "Warehouse", events: ["job.done", "job.failed", "activity.created"] });
  expect((await send("listWebhooks")).body.data).toEqual([view]);
  const changed = await send("updateWebhook", { params, body: { enabled: false, description: null } });
  expect(changed.body).toEqual({ success: true, id: params.id });
  expect((await send("getWebhook", { params })).body).toMatchObject({ enabled: false });
  expect((await send("deleteWebhook", { params })).status).toBe(200);
  for (const operation of ["getWebhook", "updateWebhook", "deleteWebhook"])
    expect((await send(operation, { params })).status).toBe(404);
});

test("a repeat shows the secret of its first answer, and never one that came after it", async () => {
  const headers = { "idempotency-key": "created" };
  const { body } = await create({}, headers);
  expect((await create({}, headers)).body.secret).toBe(body.secret);
  const params = { id: String(body.id) };
  const rotate = () =>
    send("updateWebhook", { params, body: { rotateSecret: true }, headers: { "idempotency-key": "rotated" } });
  const rotated = await rotate();
  const { secret: _, ...rest } = body;
  expect([(await create({}, headers)).body, (await rotate()).body]).toEqual([rest, rotated.body]);
  await send("updateWebhook", { params, body: { rotateSecret: true } });
  expect((await rotate()).body).not.toHaveProperty("secret");
});

test("a rotation answers a new secret, and the former one is kept for a day", async () => {
  const { body } = await create({});
  const params = { id: String(body.id) };
  const before = Date.now();
  const rotated = await send("updateWebhook", { params, body: { rotateSecret: true } });
  expect(rotated.body).toMatchObject({ url, secret: expect.stringMatching(SECRET) });
  expect(rotated.body.secret).not.toBe(body.secret);
  expect(rotated.headers["cache-control"]).toBe("no-store");
  const text = 'SELECT secret, former_secret AS "former", former_until AS "until" FROM webhooks WHERE id = $1';
  const [row] = await service.postgres.query<{ secret: string; former: string; until: number }>({ text }, [params.id]);
  const context = `${service.account.id}/webhook/${params.id}`;
  expect([row?.secret, row?.former].map((one) => sealer.open(String(one), context))).toEqual([
    rotated.body.secret,
    body.secret,
  ]);
  expect(Number(row?.until)).toBeGreaterThanOrEqual(before + 24 * 3_600_000);
});

test.each([
  ["http://hooks.example.com/", "/url", "not_allowed"],
  ["ftp://hooks.example.com/", "/url", "bad_value"],
  ["no address", "/url", "bad_value"],
  ["https://ada:secret@hooks.example.com/", "/url", "not_allowed"],
  ["https://10.0.0.1/", "/url", "not_allowed"],
  ["https://0x0a000001/", "/url", "not_allowed"],
  ["https://[fd00::1]/", "/url", "not_allowed"],
  ["http://8.8.8.8/", "/url", "not_allowed"],
])("%s is refused with 422", async (address, path, code) => {
  const { status, body } = await create({ url: address });
  expect([status, body.details]).toMatchObject([422, [{ path, code }]]);
});

test("what the operator allows may be private, and plain", async () => {
  for (const address of ["https://127.0.0.1:8443/", "http://127.0.0.1:8080/", "http://[::1]/"])
    expect((await create({ url: address })).status).toBe(201);
});

test("activities need their names, in a body and in what a change leaves", async () => {
  const missing = [422, [{ path: "/filter/actions", code: "required" }]];
  const refused = await create({ events: ["activity.created"] });
  expect([refused.status, refused.body.details]).toMatchObject(missing);
  const { body } = await create({ events: ["activity.created"], filter: { actions: ["purchase"] } });
  const params = { id: String(body.id) };
  const changed = await send("updateWebhook", { params, body: { filter: null } });
  expect([changed.status, changed.body.details]).toMatchObject(missing);
  expect((await create({ events: ["message.event"] })).status).toBe(201);
});

test.each([
  [{ events: [] }, "/events"],
  [{ events: ["job.ended"] }, "/events/0"],
  [{ filter: { actions: [] } }, "/filter/actions"],
  [{ url: `https://example.com/${"a".repeat(2_048)}` }, "/url"],
])("%j is refused with 422", async (body, path) => {
  const answer = await create(body);
  expect([answer.status, answer.body.details?.[0]?.path]).toEqual([422, path]);
});

test("a change by an ETag that is past is a conflict", async () => {
  const { body, headers } = await create({});
  const params = { id: String(body.id) };
  const change = (description: string) =>
    send("updateWebhook", { params, body: { description }, headers: { "if-match": String(headers.etag) } });
  expect([(await change("a")).status, (await change("b")).status]).toEqual([200, 409]);
});

test("deliveries are listed, replayed and tested of a webhook that exists", async () => {
  const { body } = await create({ url: "https://127.0.0.1:1/" });
  const params = { id: String(body.id) };
  const nowMs = Date.now();
  const event = { type: "job.done", source: "j1", at: nowMs, data: { id: "j1" }, ids: { id: "j1" } } as const;
  const owner = { account: service.account.number, nowMs };
  await service.postgres.transaction((transaction) => publishEvents(transaction, owner, [event]));
  const { body: listed } = await send("listWebhookdeliveries", { params, query: "?return_count=true&event=job.done" });
  expect(listed).toMatchObject({
    data: [{ event: "job.done", state: "pending", tries: [] }],
    pagination: { total: 1 },
  });
  expect((await send("listWebhookdeliveries", { params, query: "?at[lt]=2020-01-01" })).body.data).toEqual([]);
  expect((await send("replayWebhook", { params })).status).toBe(202);
  expect(await send("sendTestWebhook", { params })).toMatchObject({ status: 200, body: { ok: false, status: null } });
  const unknown = { params: { id: "65f0c0ffee65f0c0ffee0099" } };
  for (const operation of ["listWebhookdeliveries", "replayWebhook", "sendTestWebhook"])
    expect((await send(operation, unknown)).status).toBe(404);
});
