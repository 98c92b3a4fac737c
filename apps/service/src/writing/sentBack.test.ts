import { expect, test } from "vitest";
import { z } from "zod";
import { serviceDocument } from "../document.ts";
import { serveService } from "../testService.ts";

const { send } = serveService([]);

interface Resource {
  readonly get: string;
  readonly put: string;
  /** Creates one. @returns the parameters of its path. */
  create(): Promise<Readonly<Record<string, string>>>;
}

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
  { get: "getContact", put: "updateContact", create: createGrace },
  {
    ...{ get: "getCart", put: "updateCart" },
    async create() {
      const params = await createGrace();
      await send("setCart", { params });
      return params;
    },
  },
  {
    ...{ get: "getOrder", put: "updateOrder" },
    async create() {
      await createGrace();
      const items = [{ productID: "p", sku: "s", name: "Heart", qty: 6, itemPrice: "2.55" }];
      const order = { orderID: "o-1", purchaseDate: "2026-01-09T08:26:00Z", email: "grace@example.com", items };
      await send("createOrder", { body: { ...order, properties: { carrier: "van" } } });
      return { id: "o-1" };
    },
  },
  { get: "getAccountlist", put: "updateAccountlist", create: () => createdWithId("createAccountlist") },
  { get: "getAttribute", put: "updateAttribute", create: () => createdWithKey("createAttribute") },
  { get: "getInclude", put: "updateInclude", create: () => createdWithKey("createInclude") },
  { get: "getProgram", put: "updateProgram", create: () => createdWithId("createProgram") },
  { get: "getTransport", put: "updateTransport", create: () => createdWithId("createTransport") },
  { get: "getAudience", put: "updateAudience", create: () => createdWithKey("createAudience") },
  { get: "getBatchmessage", put: "updateBatchmessage", create: () => createdWithId("createBatchmessage") },
  {
    ...{ get: "getTemplate", put: "updateTemplate" },
    async create() {
      const params = await createdWithKey("createTemplate");
      await send("publishTemplate", { params });
      // A newer draft next to the published content.
      await send("updateTemplate", { params });
      return params;
    },
  },
  { get: "getSupplement", put: "updateSupplement", create: () => createdWithKey("createSupplement") },
  {
    ...{ get: "getSupplementrecord", put: "updateSupplementrecord" },
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
    ...{ get: "getProduct", put: "updateProduct" },
    async create() {
      await send("createProducts");
      return { productID: "85123A" };
    },
  },
  { get: "getAccount", put: "updateAccount", create: async () => ({}) },
];

async function createdWithId(operation: string) {
  return { id: String((await send(operation)).body.id) };
}

async function createdWithKey(operation: string) {
  return { key: String((await send(operation)).body.key) };
}

test.each(resources)("what $get answers, $put takes back: without warnings, and nothing changes", async (resource) => {
  const { get, put, create } = resource;
  const params = await create();
  const read = async () => {
    const { status, body } = await send(get, { params });
    expect([status, body]).toEqual([200, expect.any(Object)]);
    const { asOf: _, ...shown } = body;
    return { body, shown };
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

const operations = z.record(z.string(), z.record(z.string(), z.object({ operationId: z.string() })));

test("every resource that is read and written at one path is sent back by these tests", async () => {
  const paths = Object.values(operations.parse((await serviceDocument()).paths));
  const both = paths.flatMap(({ get, put }) =>
    get === undefined || put === undefined ? [] : [`${get.operationId} ${put.operationId}`],
  );
  expect(resources.map(({ get, put }) => `${get} ${put}`).toSorted()).toEqual(both.toSorted());
});
