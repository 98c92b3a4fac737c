import { serveService } from "@headwater/service/testService";
import { expect, test } from "vitest";

const service = serveService(["orchestrations"]);
const { send } = service;
const postgres = () => service.postgres;
const exit = { id: "end", type: "exit" };
const draft = (...actions: object[]) => ({ composition: { draft: { actions } } });

async function create(body: object): Promise<string> {
  const created = await send("createOrchestration", { body });
  expect(created).toMatchObject({ status: 201, body: { success: true } });
  expect(created.body).not.toHaveProperty("warnings");
  return created.body.orchestrationID;
}
const get = (orchestrationID: string, query = "") => send("getOrchestration", { params: { orchestrationID }, query });
const update = (orchestrationID: string, body: object, headers = {}) =>
  send("updateOrchestration", { params: { orchestrationID }, body, headers });
const actions = (orchestrationID: string, query = "") =>
  send("getOrchestrationactions", { params: { orchestrationID }, query });

test("an orchestration is created as a disabled draft, published, enabled, read and deleted", async () => {
  const id = await create({ name: "Welcome", tags: ["new"], status: true, publish: true, ...draft(exit) });
  expect((await get(id)).body).toMatchObject({
    name: "Welcome",
    status: false,
    composition: { draft: { actions: [exit] } },
  });
  expect((await get(id)).body.composition).not.toHaveProperty("published");
  const published = await update(id, { publish: true, status: true });
  expect(published).toMatchObject({ status: 200, body: { success: true, orchestrationID: id } });
  const { body, headers } = await get(id);
  expect(headers.etag).toBe(published.headers.etag);
  expect(body).toMatchObject({ status: true, composition: { published: { version: 1, actions: [{ id: "end" }] } } });
  for (const by of ["ct", "lm", "name"])
    expect((await send("listOrchestrations", { query: `?sort_by=${by}&tags=new` })).body.data).toMatchObject([
      { orchestrationID: id },
    ]);
  expect((await send("deleteOrchestration", { params: { orchestrationID: id } })).status).toBe(200);
  expect((await get(id)).status).toBe(404);
});

test("publishing what is unchanged makes no version, and a change makes the next one", async () => {
  const id = await create({ name: "Versions", ...draft(exit) });
  const versionOf = async () => (await get(id)).body.composition.published.version;
  await update(id, { publish: true });
  const first = (await get(id)).body.composition;
  await update(id, { publish: true });
  expect((await get(id)).body.composition).toEqual(first);
  await update(id, draft({ ...exit, config: { name: "over" } }));
  expect(await versionOf()).toBe(1);
  await update(id, { publish: true });
  expect(await versionOf()).toBe(2);
  expect((await actions(id, "?version=1")).body).toMatchObject({ version: 1, data: [{ id: "end", config: {} }] });
  expect((await actions(id)).body).toMatchObject({ version: 2, data: [{ config: { name: "over" } }] });
  expect((await actions(id, "?version=3")).status).toBe(404);
  await update(id, draft());
  expect((await actions(id, "?version=draft")).body).toEqual({ version: "draft", data: [] });
});

test("a webhook that may not be called and Liquid that does not parse are mistakes of the draft", async () => {
  const call = (id: string, config: object, next?: object) => ({
    id,
    type: "webhook",
    config,
    ...(next && { next: [next] }),
  });
  const set = { attributes: { "a/b": "{{ contact.name | nope }}", count: 5, right: "{{ contact.name }}" } };
  const id = await create({
    name: "Calls",
    ...draft(
      call("private", { url: "https://169.254.169.254/latest" }, { id: "password", label: "ok" }),
      call("password", { url: "https://ann:secret@example.com/", body: "{% for %}" }, { id: "plain", label: "ok" }),
      call(
        "plain",
        { url: "http://example.com/", body: '{ "at": {% include "footer" %} }' },
        { id: "set", label: "ok" },
      ),
      { id: "set", type: "transformation", config: { set } },
    ),
  });
  const { status, body } = await update(id, { publish: true });
  expect(status).toBe(422);
  const at = "/composition/draft/actions";
  expect(body.details.map(({ path, code }: Record<string, string>) => `${path} ${code}`)).toEqual([
    `${at}/0/config/url not_allowed`,
    `${at}/1/config/url not_allowed`,
    `${at}/2/config/url not_allowed`,
    `${at}/1/config/body bad_value`,
    `${at}/3/config/set/attributes/a~1b bad_value`,
    `${at}/2/config/body not_allowed`,
  ]);
  expect(body.details[3]).toMatchObject({ line: 1, column: 1 });
});

test("all mistakes of a draft are reported together when it is published", async () => {
  const filter = {
    id: "f",
    type: "filter",
    config: { criteria: { field: "attributes.nope", op: "exists" } },
    next: [],
  };
  const message = { id: "m", type: "message", templateKey: "gone", next: [{ id: "f" }, { id: "nowhere" }] };
  const map = { id: "t", type: "transformation", config: { key: "gone" } };
  const id = await create({ name: "Wrong", ...draft(message, filter, { id: "d", type: "delay" }, map) });
  const { status, body } = await update(id, { publish: true, entry: { audience: "nobody" }, name: "" });
  expect([status, body.code]).toEqual([422, "VALIDATION_ERROR"]);
  const at = "/composition/draft/actions";
  expect(body.details.map(({ path, code }: Record<string, string>) => `${path} ${code}`)).toEqual([
    "/name out_of_range",
    `${at}/2/config/for required`,
    `${at}/0/next/1 not_allowed`,
    `${at}/0/next/1/id unknown_reference`,
    `${at}/2 bad_value`,
    `${at}/3 bad_value`,
    "/entry/audience unknown_reference",
    `${at}/1/config/criteria/field unknown_field`,
    `${at}/0/templateKey unknown_reference`,
    `${at}/3/config/key unknown_reference`,
  ]);
  expect((await get(id)).body).toMatchObject({ name: "Wrong", status: false });
});

test("a migration names actions of published versions and of the draft", async () => {
  const id = await create({ name: "Moved", ...draft(exit) });
  await update(id, { publish: true });
  const { body } = await update(id, {
    publish: true,
    migrate: { gone: "end", end: "new" },
    ...draft({ ...exit, id: "last" }),
  });
  expect(body.details.map(({ path }: { path: string }) => path)).toEqual([
    "/migrate/gone",
    "/migrate/gone",
    "/migrate/end",
  ]);
  expect(
    (await update(id, { publish: true, migrate: { end: "last" }, ...draft({ ...exit, id: "last" }) })).status,
  ).toBe(200);
});

test("a member that is null has its default again, and an If-Match of another version is refused", async () => {
  const id = await create({
    name: "Defaults",
    tags: ["a"],
    trigger: { api: true },
    goals: [{ name: "g", event: "e" }],
  });
  const before = (await get(id)).headers.etag;
  await update(id, { tags: null, trigger: null, goals: null });
  const { body } = await get(id);
  expect(body).toMatchObject({ trigger: { api: false }, goals: [], entry: { reentry: "once" } });
  expect(body).not.toHaveProperty("tags");
  expect((await update(id, { name: "x" }, { "if-match": String(before) })).status).toBe(409);
});

test("a list takes ranges of times", async () => {
  const id = await create({ name: "Ranged", tags: ["ranged"] });
  const { ct } = (await get(id)).body;
  const found = async (query: string) =>
    (await send("listOrchestrations", { query: `?tags=ranged&${query}` })).body.data.length;
  expect(
    await Promise.all([`ct=${ct}`, `ct[gte]=${ct}`, `ct[gt]=${ct}`, `lm[lt]=${ct}`, `lm[lte]=${ct}`].map(found)),
  ).toEqual([1, 1, 0, 0, 1]);
});

test.each([
  ...["getOrchestration", "updateOrchestration", "deleteOrchestration", "getOrchestrationactions"],
  ...["listOrchestrationversions", "listOrchestrationcontacts", "getOrchestrationstats", "triggerOrchestration"],
  ...["exitOrchestrationcontact", "retryOrchestrationcontact", "simulateOrchestration"],
])("%s answers 404 for an unknown id", async (operation) => {
  const params = { orchestrationID: "65f0c0ffee65f0c0ffee0099", primary_key: "ada@x.org" };
  const { status, body } = await send(operation, { params });
  expect([status, body.code]).toEqual([404, "ORCHESTRATIONS_ORCHESTRATION_NOT_FOUND"]);
});

const pause = { id: "pause", type: "delay", config: { for: { n: 1, unit: "day" } }, next: [{ id: "end" }] };
const trigger = (orchestrationID: string, body: object, headers = {}) =>
  send("triggerOrchestration", { params: { orchestrationID }, body, headers });
async function runs(orchestrationID: string, query = ""): Promise<Record<string, string>[]> {
  const { body } = await send("listOrchestrationcontacts", { params: { orchestrationID }, query });
  return body.data;
}
const stats = async (orchestrationID: string) =>
  (await send("getOrchestrationstats", { params: { orchestrationID } })).body;

async function createContact(address: string): Promise<string> {
  const { body } = await send("createContact", { body: { channels: { email: { address } } } });
  return body.cID;
}

async function createCalled(entry: object = {}): Promise<string> {
  const id = await create({ name: "Called", trigger: { api: true }, entry, ...draft(pause, exit) });
  expect((await update(id, { publish: true, status: true })).status).toBe(200);
  return id;
}

test("a call lets known contacts enter, each once, and says why others do not", async () => {
  const [ada, grace] = [await createContact("ada@x.org"), await createContact("grace@x.org")];
  const id = await createCalled();
  const items = [
    { contact: { email: "ada@x.org" }, extVars: { coupon: "A" } },
    { contact: { cID: ada } },
    { contact: { email: "nobody@x.org" } },
    { contact: { color: "green" } },
  ];
  const first = await trigger(id, { for: items });
  expect([first.status, first.body.triggered]).toEqual([200, [{ triggered: true, contact: ada }]]);
  expect(first.body.failures).toEqual([
    { triggered: false, payload: items[2], error: "not-found" },
    { triggered: false, payload: items[3], error: "invalid" },
  ]);
  const second = await trigger(id, { contact: { email: "Ada@X.org" }, mergeData: { coupon: "B" } });
  expect([second.body.triggered, second.body.failures[0].error]).toEqual([[], "reentry"]);
  await trigger(id, { for: [{ contact: { cID: grace } }] });
  expect(await runs(id, `?cID=${ada}`)).toMatchObject([
    { cID: ada, version: 1, state: "waiting", node: "pause", waitsFor: { kind: "time" }, path: [] },
  ]);
  expect(await runs(id, "?node=pause&state=waiting&return_count=true")).toHaveLength(2);
  expect(await runs(id, "?node=end")).toEqual([]);
  expect(await stats(id)).toMatchObject({
    entered: 2,
    live: 2,
    refused: { reentry: 1 },
    nodes: [{ id: "pause", in: 2 }],
  });
  const versions = await send("listOrchestrationversions", { params: { orchestrationID: id } });
  expect(versions.body.data).toMatchObject([
    { version: 1, live: 2, compositionID: expect.stringMatching(/^[0-9a-f]{24}$/) },
  ]);
});

test("a contact is taken out by a call, and a failed run is tried again", async () => {
  const cID = await createContact("eve@x.org");
  const id = await createCalled({ reentry: "after-exit" });
  const params = { orchestrationID: id, primary_key: "eve@x.org" };
  const move = async (operation: string, more = {}) => {
    const { status, body } = await send(operation, { params: { ...params, ...more } });
    return [status, body.code];
  };
  await trigger(id, { contact: { cID } });
  expect(await move("retryOrchestrationcontact")).toEqual([404, "RECORD_NOT_FOUND"]);
  expect(await move("exitOrchestrationcontact")).toEqual([200, undefined]);
  expect(await move("exitOrchestrationcontact")).toEqual([404, "RECORD_NOT_FOUND"]);
  expect(await move("exitOrchestrationcontact", { primary_key: "no@x.org" })).toEqual([
    404,
    "CONTACTS_CONTACT_NOT_FOUND",
  ]);
  expect(await runs(id)).toMatchObject([{ state: "exited", reason: "api", path: [{ node: "pause" }] }]);
  await trigger(id, { contact: { cID } });
  const failed = { state: "failed", error: { code: "STEP_FAILED", message: "It failed." } };
  await postgres().execute(
    {
      text: `UPDATE orchestration_runs SET state = 'failed', due_at = NULL, run = ((run::jsonb - 'waitsFor') || $2::jsonb)::text
        WHERE orchestration = $1 AND state = 'waiting'`,
    },
    [id, JSON.stringify(failed)],
  );
  expect(await runs(id, "?state=failed")).toMatchObject([{ error: failed.error }]);
  expect(await move("retryOrchestrationcontact")).toEqual([200, undefined]);
  expect(await runs(id, "?state=waiting")).toMatchObject([{ node: "pause", waitsFor: { kind: "time" } }]);
});

test("a run with a key needs a value for it, and each value has a run of its own", async () => {
  const cID = await createContact("kay@x.org");
  const id = await createCalled({ key: "cart" });
  const call = async (extVars: object) => (await trigger(id, { for: [{ contact: { cID }, extVars }] })).body;
  expect((await call({})).failures).toMatchObject([{ error: "key" }]);
  expect((await call({ cart: { id: 1 } })).failures).toMatchObject([{ error: "key" }]);
  for (const cart of ["a", 7]) expect((await call({ cart })).triggered).toHaveLength(1);
  expect((await runs(id)).map(({ key }) => key).toSorted()).toEqual([7, "a"]);
  expect((await stats(id)).refused).toEqual({ key: 2 });
});

test("an orchestration that takes no calls, and calls without contacts, are refused by their codes", async () => {
  const codeOf = async (id: string, body: object) => {
    const answer = await trigger(id, body);
    return [answer.status, answer.body.code];
  };
  const one = { contact: { email: "ada@x.org" } };
  const id = await create({ name: "Silent", ...draft(pause, exit) });
  expect(await codeOf(id, one)).toEqual([422, "ORCHESTRATIONS_ORCHESTRATION_NOT_PUBLISHED"]);
  await update(id, { publish: true });
  expect(await codeOf(id, one)).toEqual([422, "ORCHESTRATIONS_ORCHESTRATION_IS_DISABLED"]);
  await update(id, { status: true });
  expect(await codeOf(id, one)).toEqual([422, "ORCHESTRATIONS_API_TRIGGER_NOT_CONFIGURED"]);
  await update(id, { trigger: { api: true }, publish: true });
  const many = Array.from({ length: 1_001 }, () => one);
  for (const body of [{}, { for: "ada" }, { for: [] }, { for: [{}] }, { for: many }, { for: [one], ...one }])
    expect(await codeOf(id, body)).toEqual([422, "ORCHESTRATIONS_API_INVALID_CONTACTS_PAYLOAD"]);
  expect(await codeOf(id, { contact: { email: "nobody@x.org" } })).toEqual([
    ...[422, "ORCHESTRATIONS_API_NO_VALID_CONTACTS_FOUND"],
  ]);
  expect(await codeOf(id, { ...one, extVars: 5 })).toEqual([422, "VALIDATION_ERROR"]);
});

test("a call that is repeated under its key lets nobody enter twice", async () => {
  const cID = await createContact("rita@x.org");
  const id = await createCalled({ reentry: "always" });
  const headers = { "idempotency-key": "call once" };
  const [first, again] = [
    await trigger(id, { contact: { cID } }, headers),
    await trigger(id, { contact: { cID } }, headers),
  ];
  expect(again.body).toEqual(first.body);
  expect(await runs(id)).toHaveLength(1);
  await trigger(id, { contact: { cID } });
  expect((await runs(id)).map(({ state, reason }) => [state, reason]).toSorted()).toEqual([
    ["exited", "reentry"],
    ["waiting", undefined],
  ]);
});

test("a simulation of a version or of a draft that could be published is a job, of another draft it is refused", async () => {
  const id = await createCalled();
  const simulate = (body: object) => send("simulateOrchestration", { params: { orchestrationID: id }, body });
  const started = await simulate({ version: 1, seed: 3 });
  expect([started.status, started.body.jobId]).toEqual([202, expect.stringMatching(/^[0-9a-f]{24}$/)]);
  expect((await simulate({ version: "draft", from: "2026-01-01", to: "2026-01-02" })).status).toBe(202);
  expect((await simulate({ version: 7 })).body.code).toBe("RECORD_NOT_FOUND");
  const wrong: [object, string][] = [
    [{ samplePercent: 0 }, "/samplePercent"],
    [{ seed: -1 }, "/seed"],
    [{ assume: { open: 2 } }, "/assume/open"],
    [{ from: "yesterday" }, "/from"],
    [{ from: "2026-02-01", to: "2026-01-01" }, "/from"],
  ];
  for (const [body, path] of wrong) {
    const refused = await simulate(body);
    expect([refused.status, refused.body.details[0].path]).toEqual([422, path]);
  }
  await update(id, draft());
  expect((await simulate({ version: "draft" })).body.details).toMatchObject([{ path: "/composition/draft/actions" }]);
});
