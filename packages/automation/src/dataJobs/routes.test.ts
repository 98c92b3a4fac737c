import { serveService } from "@headwater/service/testService";
import { afterAll, afterEach, expect, test } from "vitest";
import { createMapper } from "./createMapper.ts";
import { mapForStep } from "./mapForStep.ts";

const appended: { readonly subject: string; readonly texts: readonly string[] }[] = [];
const mapper = createMapper();
afterAll(() => mapper.close());
const service = serveService(["datajobs"], {
  mapper,
  producer: {
    async append({ subject, entries }) {
      appended.push({ subject, texts: entries.map(({ text }) => text) });
      return [
        {
          topic: "intake.records",
          partition: 0,
          firstOffset: 0,
          firstPlace: 0,
          lastOffset: 0,
          lastPlace: 0,
          count: entries.length,
        },
      ];
    },
  },
});
const { send } = service;
afterEach(() => {
  appended.length = 0;
});

const activities = {
  each: "=lines",
  to: {
    "contact.identifiers.email": "=email",
    "contactactivities[0].name": "bought",
    "contactactivities[0].time": "2026-01-09T22:47:12Z",
  },
};
let made = 0;
async function create(more: object = {}): Promise<string> {
  const key = `job-${++made}`;
  const body = { key, name: "Lines", kind: "oneTime", mapping: activities, target: { type: "activities" }, ...more };
  const created = await send("createDatajob", { body });
  expect(created).toMatchObject({ status: 201, body: { success: true, key } });
  return key;
}

async function upload(text: string) {
  const uploaded = await send("createUpload", { body: text });
  return { transport: "file", path: `upload:${uploaded.body.uploadId ?? uploaded.body.id}` };
}

test("a data job is created, read by key and daId, listed, changed and deleted", async () => {
  const created = await send("createDatajob");
  expect(created).toMatchObject({ status: 201, body: { key: "shop-lines" } });
  const params = { key: "shop-lines" };
  const read = await send("getDatajob", { params });
  expect(read.body).toMatchObject({ kind: "oneTime", apiTrigger: false, enabled: true, status: "draft" });
  expect((await send("getDatajob", { params: { key: read.body.daId } })).body).toEqual(read.body);
  expect((await send("createDatajob")).body).toMatchObject({ code: "KEY_MUST_BE_UNIQUE" });
  const listed = await send("listDatajobs", { query: "?status=draft&sort_by=name" });
  expect(listed.body.data.map(({ key }: { key: string }) => key)).toContain("shop-lines");
  expect((await send("listDatajobs", { query: "?status=failed" })).body.data).toEqual([]);
  const changed = await send("updateDatajob", { params, headers: { "if-match": String(read.headers.etag) } });
  expect(changed.status).toBe(200);
  expect((await send("getDatajob", { params })).body).toMatchObject({ name: "Orders of the shop, daily" });
  const late = await send("updateDatajob", { params, headers: { "if-match": String(read.headers.etag) } });
  expect(late).toMatchObject({ status: 409, body: { code: "VERSION_CONFLICT" } });
  expect((await send("deleteDatajob", { params })).status).toBe(200);
  expect((await send("getDatajob", { params })).status).toBe(404);
});

test.each(["getDatajob", "updateDatajob", "deleteDatajob", "transformDatajob", "triggerDatajob", "listDatajobruns"])(
  "%s answers 404 for an unknown key",
  async (operation) => {
    expect((await send(operation, { params: { key: "nobody" } })).status).toBe(404);
  },
);

test("numbers of a run that does not exist are a 404", async () => {
  const key = await create();
  expect((await send("getDatajobstats", { params: { dabId: "nobody" } })).status).toBe(404);
  expect((await send("getDatajobstats", { params: { dabId: key } })).status).toBe(404);
  const params = { key, runMarker: "rm202601010000" };
  expect((await send("getDatajobrunstats", { params })).status).toBe(404);
});

test.each([
  ["a function that does not exist", { mapping: { to: { a: "=nosuch(@)" } } }, "/mapping/to/a bad_value"],
  ["an expression of 64 KiB", { mapping: { to: { a: `=${"a".repeat(64 * 1024)}` } } }, "/mapping"],
  [
    "an expression of over 1,024 characters",
    { mapping: { to: { a: `=${"a.".repeat(600)}a` } } },
    "/mapping/to/a too_long",
  ],
  ["a mapping without members", { mapping: { to: {} } }, "/mapping"],
  ["a recurring one without a schedule", { kind: "recurring" }, "/schedule required"],
  [
    "a cron of every second",
    { kind: "recurring", schedule: { cron: "* * * * * *", timezone: "UTC" } },
    "/schedule/cron bad_value",
  ],
  [
    "a zone that does not exist",
    { kind: "recurring", schedule: { cron: "0 9 * * *", timezone: "Mars" } },
    "/schedule/timezone bad_value",
  ],
  ["a supplement without a key", { target: { type: "supplement" } }, "/target/key required"],
  ["a key of a target that has none", { target: { type: "contacts", key: "cars" } }, "/target/key not_allowed"],
  ["a key with a blank", { key: "a b" }, "/key"],
  ["a key like a daId", { key: "65f0c0ffee65f0c0ffee0201" }, "/key"],
])("%s is a 422 that names its member", async (_, more, problem) => {
  const body = {
    key: "bad",
    name: "Bad",
    kind: "oneTime",
    mapping: activities,
    target: { type: "activities" },
    ...more,
  };
  const refused = await send("createDatajob", { body });
  expect(refused.status).toBe(422);
  const details: { path: string; code: string }[] = refused.body.details;
  expect(details.map(({ path, code }) => `${path} ${code}`).join("\n")).toContain(problem);
});

test("a source that cannot be used is refused as an import refuses it", async () => {
  const body = { key: "bad", name: "Bad", kind: "oneTime", mapping: activities, target: { type: "activities" } };
  const gone = { transport: "file", path: "upload:65f0c0ffee65f0c0ffee0099" };
  for (const source of [gone, { transport: "gopher" }, { transport: "https", url: "ftp://example.com" }]) {
    const refused = await send("createDatajob", { body: { ...body, source } });
    expect(refused).toMatchObject({ status: 422, body: { code: "IMPORT_CONFIGURATION_ERROR" } });
  }
  const destination = { type: "gopher" };
  const refused = await send("createDatajob", { body: { ...body, target: { type: "export" }, destination } });
  expect(refused).toMatchObject({ status: 422, body: { code: "EXPORT_CONFIGURATION_ERROR" } });
});

test("a transform hands what it makes to the operation of its target, and refuses records one by one", async () => {
  const key = await create();
  const lines = [{ email: "ada@example.com" }, { email: "" }, { email: "bob@example.com" }];
  const done = await send("transformDatajob", { params: { key }, body: { lines } });
  expect(done.status).toBe(200);
  expect(done.body).toMatchObject({ success: true, accepted: 2, rejected: 1, receipt: expect.any(String) });
  expect(done.body.items).toMatchObject([{ index: 1, status: "rejected", path: "/contact/identifiers/email" }]);
  expect(appended).toMatchObject([{ subject: "intake.createContactactivities" }]);
  expect(appended[0]?.texts.map((text) => JSON.parse(text).contact.identifiers.email)).toEqual([
    "ada@example.com",
    "bob@example.com",
  ]);
});

test("a transform that only validates, makes nothing or nothing valid writes nothing", async () => {
  const key = await create();
  const params = { key };
  const lines = [{ email: "ada@example.com" }, {}];
  const checked = await send("transformDatajob", { params, query: "?validateOnly=true&verbose", body: { lines } });
  expect(checked).toMatchObject({ status: 200, body: { valid: 1, rejected: 1, items: [{ index: 0 }, { index: 1 }] } });
  const nothing = await send("transformDatajob", { params, body: {} });
  expect(nothing).toMatchObject({ status: 200, body: { accepted: 0, rejected: 0, items: [] } });
  const wrong = await send("transformDatajob", { params, body: { lines: [{}] } });
  expect(wrong).toMatchObject({ status: 422, body: { code: "VALIDATION_ERROR", accepted: 0, rejected: 1 } });
  expect(appended).toEqual([]);
});

test("a transform refuses what is not JSON, and more than 10,000 records", async () => {
  const key = await create();
  const params = { key };
  expect(await send("transformDatajob", { params, body: '{"lines":' })).toMatchObject({
    status: 400,
    body: { code: "INVALID_JSON_PROVIDED" },
  });
  const lines = Array.from({ length: 10_001 }, () => ({ email: "a@example.com" }));
  expect(await send("transformDatajob", { params, body: { lines } })).toMatchObject({
    status: 413,
    body: { code: "PAYLOAD_TOO_LARGE", limit: { what: "records", max: 10_000 } },
  });
  expect(appended).toEqual([]);
});

test("a transform runs once for its Idempotency-Key", async () => {
  const key = await create();
  const call = {
    params: { key },
    body: { lines: [{ email: "ada@example.com" }] },
    headers: { "idempotency-key": "once" },
  };
  const first = await send("transformDatajob", call);
  const second = await send("transformDatajob", call);
  expect([second.status, second.body]).toEqual([200, first.body]);
  expect(second.headers["idempotency-replayed"]).toBe("true");
  expect(appended).toHaveLength(1);
  const other = await send("transformDatajob", { ...call, body: { lines: [] } });
  expect(other).toMatchObject({ status: 422, body: { code: "IDEMPOTENCY_KEY_REUSED" } });
});

test("a transform of products writes them, and one of an export is refused", async () => {
  const mapping = { each: "=@", to: { productID: "=id", productName: "=name" } };
  const key = await create({ mapping, target: { type: "products" } });
  const body = [{ id: "p1", name: "Heart" }, { name: "Nameless" }];
  const done = await send("transformDatajob", { params: { key }, body });
  expect(done.body).toMatchObject({ accepted: 1, rejected: 1, items: [{ index: 1, path: "/productID" }] });
  expect((await send("getProduct", { params: { id: "p1", productID: "p1" } })).body).toMatchObject({
    productName: "Heart",
  });
  const exporting = await create({ target: { type: "export" } });
  expect((await send("transformDatajob", { params: { key: exporting } })).status).toBe(422);
});

test("a run is started, listed and counted, and a one-time data job has one at a time", async () => {
  const source = await upload('{"lines":[]}\n');
  const key = await create({ source, apiTrigger: true });
  const started = await send("triggerDatajob", { params: { key } });
  expect(started).toMatchObject({ status: 202, body: { success: true, jobIds: [expect.any(String)] } });
  const { dabID } = started.body;
  expect(dabID).toMatch(/^account:[0-9a-f]{24}:rm\d{12}$/);
  const again = await send("triggerDatajob", { params: { key } });
  expect(again).toMatchObject({ status: 409, body: { code: "INVALID_STATE_TRANSITION", from: "pending" } });
  const listed = await send("listDatajobruns", { params: { key: dabID } });
  const [runMarker] = listed.body.runs;
  expect(listed.body).toMatchObject({ data: [{ runMarker, status: "pending" }], pagination: { next_cursor: null } });
  const stats = await send("getDatajobstats", { params: { dabId: dabID } });
  expect(stats.body).toMatchObject({ dabId: dabID, run: { status: "pending" }, stats: { total_queued: 0 } });
  expect((await send("getDatajobstats", { params: { dabId: key } })).body).toEqual(stats.body);
  expect((await send("getDatajobrunstats", { params: { key, runMarker } })).body).toEqual(stats.body);
  expect((await send("getDatajob", { params: { key } })).body).toMatchObject({
    status: "pending",
    lastRunMarker: runMarker,
  });
  const [id] = started.body.jobIds;
  expect((await send("cancelJob", { params: { id } })).status).toBe(200);
  expect((await send("getDatajob", { params: { key } })).body).toMatchObject({ status: "cancelled" });
  const next = await send("triggerDatajob", { params: { key } });
  expect(next.status).toBe(202);
  expect(next.body.dabID).not.toBe(dabID);
  expect((await send("deleteDatajob", { params: { key } })).status).toBe(200);
  expect((await send("getJob", { params: { id: next.body.jobIds[0] } })).body).toMatchObject({ status: "Canceled" });
});

test("a step of an orchestration gets the records of a data job, or why there are none", async () => {
  const mapping = {
    to: {
      "contact.identifiers.email": "=contact.email",
      "order.orderID": "=event.properties.id",
      "order.note": "=extVars.note",
    },
  };
  const key = await create({ mapping, target: { type: "orders" } });
  const input = { contact: { email: "ada@example.com" }, event: { properties: { id: "o1" } }, extVars: { note: "n" } };
  const mapped = (name: string) =>
    mapForStep(service.postgres, { account: service.account.number, key: name, input }, mapper);
  const records = [{ contact: { identifiers: { email: "ada@example.com" } }, order: { orderID: "o1", note: "n" } }];
  expect(await mapped(key)).toEqual({ kind: "records", target: { type: "orders" }, records });
  expect(await mapped("nobody")).toMatchObject({ kind: "failed", error: { code: "RECORD_NOT_FOUND" } });
  const files = await create({ target: { type: "export" } });
  expect(await mapped(files)).toMatchObject({ kind: "failed", error: { code: "VALIDATION_ERROR" } });
  const many = await create({ mapping: { each: "=$.extVars.note", to: { a: "=@" } } });
  const notes = { ...input, extVars: { note: Array.from({ length: 101 }, () => 1) } };
  const named = { account: service.account.number, key: many, input: notes };
  expect(await mapForStep(service.postgres, named, mapper)).toMatchObject({ kind: "failed" });
});

test("a trigger needs apiTrigger, a source and an enabled data job", async () => {
  const off = await create();
  const code = "DATA_JOB_API_TRIGGER_DISABLED";
  expect((await send("triggerDatajob", { params: { key: off } })).body).toMatchObject({ code });
  const disabled = await create({ apiTrigger: true, enabled: false });
  expect((await send("triggerDatajob", { params: { key: disabled } })).body).toMatchObject({ code });
  expect((await send("transformDatajob", { params: { key: disabled } })).body).toMatchObject({ code });
  const bare = await create({ apiTrigger: true });
  const refused = await send("triggerDatajob", { params: { key: bare } });
  expect(refused).toMatchObject({ status: 422, body: { code: "VALIDATION_ERROR", details: [{ path: "/source" }] } });
});
