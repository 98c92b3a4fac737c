import { isDeepStrictEqual } from "node:util";
import { createSealer } from "@headwater/kernel";
import { serviceDocument } from "@headwater/service/document";
import { serveService } from "@headwater/service/testService";
import { expect, test } from "vitest";
import { z } from "zod";

const service = serveService([], { sealer: createSealer([Buffer.alloc(32, 7)]) });
const { send } = service;
const paths = z.record(z.string(), z.record(z.string(), z.object({ operationId: z.string() })));

interface Resource {
  readonly get: string;
  readonly put: string;
  /** Read-only members with a value that is not the stored one, by their pointers; none where a write takes every member or refuses it. */
  readonly changed: Readonly<Record<string, unknown>>;
  /** Creates one. @returns the parameters of its path. */
  create(): Promise<Readonly<Record<string, string>>>;
}

const OLD = "2020-01-01T00:00:00.000Z";
const primary_key = "email:grace@example.com";
const grace = {
  email: { address: "grace@example.com", subscribeStatus: "subscribed" },
  sms: { address: "+436601234567" },
};
const createGrace = async () => {
  const attributes = { country: "GB", tags: ["a"], home: { city: "Graz" } };
  await send("createContact", { body: { channels: grace, attributes, lists: { vip: true } } });
  return { primary_key };
};

const resources: readonly Resource[] = [
  {
    get: "getContact",
    put: "updateContact",
    changed: { "/identifiers": { customer_id: "5" }, "/createdAt": OLD },
    create: createGrace,
  },
  {
    ...{ get: "getCart", put: "updateCart", changed: { "/totalAmount": 1, "/updatedAt": OLD } },
    async create() {
      const params = await createGrace();
      await send("setCart", { params });
      return params;
    },
  },
  {
    ...{ get: "getOrder", put: "updateOrder", changed: { "/items/0/amount": 99, "/totalDiscountAmount": 3 } },
    async create() {
      await createGrace();
      const items = [{ productID: "p", sku: "s", name: "Heart", qty: 6, itemPrice: "2.55" }];
      const order = { orderID: "o-1", purchaseDate: "2026-01-09T08:26:00Z", email: "grace@example.com", items };
      await send("createOrder", { body: { ...order, properties: { carrier: "van" } } });
      return { id: "o-1" };
    },
  },
  {
    get: "getAccountlist",
    put: "updateAccountlist",
    changed: { "/id": 99 },
    create: () => createdWithId("createAccountlist"),
  },
  { get: "getAttribute", put: "updateAttribute", changed: {}, create: () => createdWithKey("createAttribute") },
  {
    get: "getInclude",
    put: "updateInclude",
    changed: { "/createdAt": OLD },
    create: () => createdWithKey("createInclude"),
  },
  {
    get: "getAlert",
    put: "updateAlert",
    changed: { "/id": "other", "/state": "raised", "/ct": OLD },
    create: () => createdWithId("createAlert"),
  },
  {
    get: "getWebhook",
    put: "updateWebhook",
    changed: { "/id": "other", "/ct": OLD },
    create: () => createdWithId("createWebhook"),
  },
  {
    get: "getProgram",
    put: "updateProgram",
    changed: { "/id": "other", "/ct": OLD },
    create: () => createdWithId("createProgram"),
  },
  {
    get: "getDatajob",
    put: "updateDatajob",
    changed: { "/daId": "other", "/ct": OLD },
    create: () => createdWithKey("createDatajob"),
  },
  {
    get: "getOrchestration",
    put: "updateOrchestration",
    changed: { "/composition/publishedAt": OLD, "/lm": OLD },
    async create() {
      const composition = { draft: { actions: [{ id: "end", type: "exit" }] } };
      const { orchestrationID } = (await send("createOrchestration", { body: { name: "Welcome", composition } })).body;
      await send("updateOrchestration", { params: { orchestrationID }, body: { publish: true } });
      return { orchestrationID };
    },
  },
  {
    get: "getTransport",
    put: "updateTransport",
    changed: { "/ct": OLD },
    create: () => createdWithId("createTransport"),
  },
  {
    get: "getAudience",
    put: "updateAudience",
    changed: { "/lm": OLD },
    create: () => createdWithKey("createAudience"),
  },
  {
    get: "getBatchmessage",
    put: "updateBatchmessage",
    changed: { "/status": "Sent" },
    create: () => createdWithId("createBatchmessage"),
  },
  {
    ...{ get: "getTemplate", put: "updateTemplate", changed: { "/mdtID": "other" } },
    async create() {
      const params = await createdWithKey("createTemplate");
      await send("publishTemplate", { params });
      // A newer draft next to the published content.
      await send("updateTemplate", { params });
      return params;
    },
  },
  {
    get: "getSupplement",
    put: "updateSupplement",
    changed: { "/contactObject": "maybe" },
    create: () => createdWithKey("createSupplement"),
  },
  {
    ...{ get: "getSupplementrecord", put: "updateSupplementrecord", changed: { "/ct": OLD } },
    async create() {
      const params = await createGrace();
      const { cID } = (await send("getContact", { params })).body;
      const table = { key: "rings", name: "Rings", indexes: [], contactObject: true };
      await send("createSupplement", { body: table });
      await send("createSupplementrecord", { params: { key: "rings" }, body: { id: "r-1", cID, size: 7 } });
      return { key: "rings", id: "r-1" };
    },
  },
  {
    ...{ get: "getProduct", put: "updateProduct", changed: { "/totalQty": 7 } },
    async create() {
      await send("createProducts");
      return { productID: "85123A" };
    },
  },
  { get: "getAccount", put: "updateAccount", changed: {}, create: async () => ({}) },
];

const created = new Map<string, Readonly<Record<string, string>>>();

/** Returns the parameters of a resource that is created once. */
async function paramsOf({ get, create }: Resource): Promise<Readonly<Record<string, string>>> {
  const params = created.get(get) ?? (await create());
  created.set(get, params);
  return params;
}

async function createdWithId(operation: string) {
  return { id: String((await send(operation)).body.id) };
}

async function createdWithKey(operation: string) {
  return { key: String((await send(operation)).body.key) };
}

test.each(resources)("what $get answers, $put takes back: without warnings, and nothing changes", async (resource) => {
  const { get, put } = resource;
  const params = await paramsOf(resource);
  const read = async () => {
    const { status, body } = await send(get, { params });
    expect([status, body]).toEqual([200, expect.any(Object)]);
    const { asOf: _, ...view } = body;
    return { body, shown: view };
  };
  const before = await read();
  const answer = await send(put, { params, body: before.body });
  expect([answer.status, answer.body.details, answer.body.warnings]).toEqual([200, undefined, undefined]);
  expect((await read()).shown).toEqual(before.shown);
  const misspelled = await send(put, { params, body: { ...before.body, lastModifide: 1 } });
  const unknown = { path: "/lastModifide", code: "unknown_member" };
  if (put === "updateAccount")
    expect(misspelled).toMatchObject({ status: 422, body: { details: [{ path: unknown.path }] } });
  else expect(misspelled.body.warnings ?? []).toMatchObject(put === "updateSupplementrecord" ? [] : [unknown]);
});

const withReadOnly = resources.filter(({ changed }) => Object.keys(changed).length > 0);

test.each(withReadOnly)(
  "a read-only member of $get that $put gets changed is ignored, with a warning",
  async (resource) => {
    const { get, put, changed } = resource;
    const params = await paramsOf(resource);
    const before = (await send(get, { params })).body;
    const body = structuredClone(before);
    for (const [path, value] of Object.entries(changed)) setAt(body, path, value);
    const call = { params, body, headers: { "idempotency-key": `changed ${put}` } };
    const answer = await send(put, call);
    const warnings = Object.keys(changed).map((path) => expect.objectContaining({ path, code: "read_only" }));
    expect([answer.status, answer.body.warnings]).toEqual([200, warnings]);
    expect((await send(put, call)).body).toEqual(answer.body);
    const { asOf: _, ...displayed } = (await send(get, { params })).body;
    expect(before).toMatchObject(displayed);
  },
);

test("a template that is sent back is compared with the record that the write locks: its numbers are not read", async () => {
  const [template] = resources.filter(({ get }) => get === "getTemplate");
  const params = template && (await paramsOf(template));
  const { body } = await send("getTemplate", { ...(params && { params }) });
  const statements: string[] = [];
  service.rows = (sql) => {
    statements.push(sql);
    return [];
  };
  const answer = await send("updateTemplate", { ...(params && { params }), body: { ...body, mdtID: "other" } });
  service.rows = () => [];
  expect(answer.body.warnings).toMatchObject([{ path: "/mdtID", code: "read_only" }]);
  expect(statements).toEqual([]);
});

test.each(["getContact", "getCart", "getOrder", "getSupplementrecord"])(
  "what %s answers is compared with the record that its write locks, which is not read before",
  async (get) => {
    const [resource] = resources.filter((one) => one.get === get);
    if (resource === undefined) throw new Error(`${get} is not in the table`);
    const params = await paramsOf(resource);
    const { postgres } = service;
    const { query, transaction } = postgres;
    let reads = 0;
    Object.assign(postgres, {
      query: (...input: Parameters<typeof query>) => {
        reads += 1;
        return query.apply(postgres, input);
      },
      transaction: (...provided: Parameters<typeof transaction>) => {
        if (provided[1]?.isSnapshot === true) reads += 1;
        return transaction.apply(postgres, provided);
      },
    });
    const { body } = await send(get, { params });
    expect(reads).toBeGreaterThan(0);
    reads = 0;
    const changed = structuredClone(body);
    for (const [path, value] of Object.entries(resource.changed)) setAt(changed, path, value);
    const answers = [await send(resource.put, { params, body }), await send(resource.put, { params, body: changed })];
    Object.assign(postgres, { query, transaction });
    expect(answers.map(({ body: { warnings = [] } }) => warnings.map(({ path }: { path: string }) => path))).toEqual([
      [],
      Object.keys(resource.changed),
    ]);
    expect(reads).toBe(0);
  },
);

test("the join dates of a contact are those before its write, which puts it on a list or takes it off one", async () => {
  const params = await createGrace();
  for (const name of ["gold", "silver"]) await send("createAccountlist", { body: { name, enhanced: true } });
  await send("updateContact", { params, body: { lists: { gold: true } } });
  const put = async (lists: object) => {
    const { listJoinDate } = (await send("getContact", { params })).body;
    const answer = await send("updateContact", { params, body: { listJoinDate, lists } });
    return { before: Object.keys(listJoinDate), after: Object.keys(answer.body.listJoinDate), ...answer.body };
  };
  expect(await put({ gold: true, silver: true })).toMatchObject({ before: ["gold"], after: ["gold", "silver"] });
  const left = await put({ gold: false });
  expect(left).toMatchObject({ before: ["gold", "silver"], after: ["silver"] });
  const joined = await put({ gold: true });
  for (const { warnings } of [left, joined]) expect(warnings).toBeUndefined();
  const wrong = await send("updateContact", { params, body: { listJoinDate: { gold: OLD }, lists: { gold: true } } });
  expect(wrong.body.warnings).toMatchObject([{ path: "/listJoinDate", code: "read_only" }]);
});

function setAt(body: object, path: string, value: unknown): void {
  const [, ...steps] = path.split("/");
  const last = steps.pop() ?? "";
  const parent = steps.reduce<object>((at, step) => Object(Reflect.get(at, step)), body);
  Reflect.set(parent, last, value);
}

/** Members that no two records share. */
const UNIQUE = new Set(["key", "name", "orderID", "productID"]);

test.each(resources)("what $get answers creates another by POST: what is not taken over is named", async (resource) => {
  const { get } = resource;
  const document = paths.parse((await serviceDocument()).paths);
  const path = Object.keys(document).find((one) => document[one]?.get?.operationId === get) ?? "";
  const create = document[path]?.post?.operationId ?? document[path.replace(/\/\{\w+\}$/, "")]?.post?.operationId;
  if (create === undefined) return;
  const params = await paramsOf(resource);
  const { body: visible } = await send(get, { params });
  const sent: Record<string, unknown> = Object.fromEntries(
    Object.entries(visible).map(([name, value]) => [name, UNIQUE.has(name) ? `${value}-2` : value]),
  );
  const answer = await send(create, { params, body: sent });
  if (answer.status >= 400) {
    // Refused with a word.
    expect([create, answer.body.details?.[0]?.path]).toEqual([create, expect.stringMatching(/^\/\w/)]);
    return;
  }
  const { id, key, orderID, productID, orchestrationID, warnings = [] } = answer.body;
  const { body: stored } = await send(get, {
    params: { ...params, ...definedOf({ id: id ?? orderID, key, productID, orchestrationID }) },
  });
  const lost = Object.keys(sent).filter((name) => !isDeepStrictEqual(stored[name], sent[name]));
  const named: string[] = warnings.map((one: { path: string }) => one.path);
  // A member of which a part is not taken over is named by that part.
  const isNamed = (name: string) => named.some((one) => one === `/${name}` || one.startsWith(`/${name}/`));
  expect([create, named, lost.filter((name) => !isNamed(name))]).toEqual([create, named, []]);
});

function definedOf(members: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(members).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  );
}

test("a new contact with identifiers in the body is told that they are ignored", async () => {
  const channels = { email: { address: "ida@example.com" } };
  const built = await send("createContact", { body: { channels, identifiers: { customer_id: "5" } } });
  expect([built.status, built.body.identifiers]).toEqual([201, { email: "ida@example.com" }]);
  expect(built.body.warnings).toMatchObject([{ path: "/identifiers", code: "read_only" }]);
});

test("lines that were moved or removed are not taken for changed ones", async () => {
  await createGrace();
  const items = [2, 3].map((qty) => ({ productID: `p${qty}`, sku: "s", name: "Heart", qty, itemPrice: "2.55" }));
  const order = { orderID: "moved", purchaseDate: "2026-01-09T08:26:00Z", email: "grace@example.com", items };
  await send("createOrder", { body: order });
  const params = { id: "moved" };
  const { body } = await send("getOrder", { params });
  const reversed = await send("updateOrder", { params, body: { items: body.items.toReversed() } });
  expect(reversed.body.warnings).toBeUndefined();
  const [first] = body.items;
  expect(
    (await send("updateOrder", { params, body: { items: [{ ...first, amount: 1 }] } })).body.warnings,
  ).toMatchObject([{ path: "/items/0/amount", code: "read_only" }]);
});

test("every resource that is read and written at one path is sent back by these tests", async () => {
  const operations = Object.values(paths.parse((await serviceDocument()).paths));
  const both = operations.flatMap(({ get, put }) =>
    get === undefined || put === undefined ? [] : [`${get.operationId} ${put.operationId}`],
  );
  expect(resources.map(({ get, put }) => `${get} ${put}`).toSorted()).toEqual(both.toSorted());
});
