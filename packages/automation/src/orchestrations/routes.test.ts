import { serveService } from "@headwater/service/testService";
import { expect, test } from "vitest";

const { send } = serveService(["orchestrations"]);
const exit = { id: "end", type: "exit" };
const draft = (...actions: object[]) => ({ composition: { draft: { actions } } });

async function create(body: object): Promise<string> {
  const created = await send("createOrchestration", { body });
  expect(created).toMatchObject({ status: 201, body: { success: true } });
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

test("all mistakes of a draft are reported together when it is published", async () => {
  const filter = {
    id: "f",
    type: "filter",
    config: { criteria: { field: "attributes.nope", op: "exists" } },
    next: [],
  };
  const message = { id: "m", type: "message", templateKey: "gone", next: [{ id: "f" }, { id: "nowhere" }] };
  const id = await create({ name: "Wrong", ...draft(message, filter, { id: "d", type: "delay" }) });
  const { status, body } = await update(id, { publish: true, entry: { audience: "nobody" }, name: "" });
  expect([status, body.code]).toEqual([422, "VALIDATION_ERROR"]);
  const at = "/composition/draft/actions";
  expect(body.details.map(({ path, code }: Record<string, string>) => `${path} ${code}`)).toEqual([
    "/name out_of_range",
    `${at}/2/config/for required`,
    `${at}/0/next/1 not_allowed`,
    `${at}/0/next/1/id unknown_reference`,
    `${at}/2 bad_value`,
    "/entry/audience unknown_reference",
    `${at}/1/config/criteria/field unknown_field`,
    `${at}/0/templateKey unknown_reference`,
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

test.each(["getOrchestration", "updateOrchestration", "deleteOrchestration", "getOrchestrationactions"])(
  "%s answers 404 for an unknown id",
  async (operation) => {
    const { status, body } = await send(operation, { params: { orchestrationID: "65f0c0ffee65f0c0ffee0099" } });
    expect([status, body.code]).toEqual([404, "ORCHESTRATIONS_ORCHESTRATION_NOT_FOUND"]);
  },
);
