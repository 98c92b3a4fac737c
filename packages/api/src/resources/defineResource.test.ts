import { createResourceTable } from "@headwater/postgres/connection/resourceTable";
import { serveService } from "@headwater/service/testService";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { defineResource } from "./defineResource.ts";

/** Tests parts that a resource may add to what all have, on one that exists here alone. `resources.test.ts` has what all share. */

const stored = createResourceTable({
  name: "moorings",
  key: "key",
  alias: "id",
  members: { id: "text", kind: ["buoy", "pier"], tags: "text[] | null", depth: "integer | null" },
});

/** Hooks and reads in the order of their calls. */
let calls: string[] = [];
const noted = (call: string) => void calls.push(call);

const members = {
  kind: z.enum(["buoy", "pier"]),
  tags: z.array(z.string()).nullish(),
  depth: z.number().nullish(),
};
const TOO_SHALLOW = { path: "/depth", code: "out_of_range", message: "The water is too shallow." };
const description = { summary: "A mooring." };
const ids = ["m1", "m2", "m3", "m4", "m5"].values();

const moorings = defineResource({
  resource: "moorings",
  noun: "mooring",
  table: {
    ...stored,
    read(session, name) {
      noted("read");
      return stored.read(session, name);
    },
  },
  shape: z.strictObject({
    ...{ id: z.string(), key: z.string(), kind: z.string(), tags: z.array(z.string()).optional() },
    ...{ depth: z.number().optional(), berth: z.string(), tide: z.number().optional() },
  }),
  example: { id: "m1", key: "north", kind: "buoy", berth: "test" },
  toRecord: ({ id, key, kind, tags, depth }, { account }) => ({
    ...{ id, key, kind, berth: account.name, ...(tags && { tags }) },
    ...(depth !== null && { depth }),
  }),
  async load(rows) {
    noted(`load ${rows.length}`);
    return rows;
  },
  versioned: ({ kind, tags, depth }) => [kind, tags, depth],
  lock: async (_, account) => noted(`lock ${account > 0}`),
  list: { ...description, operationId: "listMoorings", sorts: { key: "key" }, filters: { tags: z.string() } },
  get: {
    ...description,
    operationId: "getMooring",
    computed: {
      async tide({ depth }) {
        noted("tide");
        return depth === null ? undefined : depth + 1;
      },
    },
  },
  create: {
    ...description,
    operationId: "createMooring",
    body: z.object({ key: z.string(), ...members }),
    requestExample: {},
    keyOf: ({ key }) => key,
    furtherProblems: async ({ depth }) => (depth === -1 ? [TOO_SHALLOW] : []),
    check: async (_, { key }) => ({ found: `checked ${key}` }),
    toMembers({ kind, tags = null, depth = null }, _, { found }) {
      noted(String(found));
      return { id: ids.next().value ?? "m", kind, tags, depth };
    },
    secret: {
      members: { code: z.string().optional() },
      read: ({ kind }, { key }) => ({ code: `${kind} code of ${key}` }),
    },
  },
  update: {
    ...description,
    operationId: "updateMooring",
    body: z.object({ key: z.string(), ...members }).partial(),
    requestExample: {},
    toMembers({ kind, tags, depth }, { id, ...before }) {
      const { kind: former } = before;
      return { id, kind: kind ?? former, tags: tags ?? before.tags, depth: depth === undefined ? before.depth : depth };
    },
  },
  delete: { ...description, operationId: "deleteMooring" },
});

const service = serveService([], { resources: [moorings] });
const { send } = service;
const create = (body: object, headers = {}) => send("createMooring", { body, headers });
const update = (key: string, body: object) => send("updateMooring", { params: { key }, body });
const remove = (key: string) => send("deleteMooring", { params: { key } });
const keysOf = async (query: string) =>
  (await send("listMoorings", { query })).body.data.map(({ key }: { key: string }) => key);

beforeAll(async () => {
  const columns =
    "account int, key text, id text, kind text, tags text[], depth int, created_at bigint, updated_at bigint";
  await service.postgres.execute({ text: `CREATE TABLE moorings (${columns}, PRIMARY KEY (account, key))` });
});
beforeEach(() => {
  calls = [];
});

test("a record is named by its alias wherever its key names it, and writes answer both", async () => {
  const { body } = await create({ key: "north", kind: "buoy" });
  expect(body).toMatchObject({ success: true, id: "m1", key: "north" });
  for (const key of ["north", "m1"]) {
    const record = { id: "m1", key: "north", kind: "buoy", berth: "test" };
    expect((await send("getMooring", { params: { key } })).body).toEqual(record);
  }
  expect(await update("m1", { key: "north", kind: "pier" })).toMatchObject({ body: { id: "m1", key: "north" } });
  expect(await update("m1", { key: "m1" })).toMatchObject({ status: 422, body: { details: [{ path: "/key" }] } });
  expect((await remove("m1")).status).toBe(200);
  expect((await send("getMooring", { params: { key: "north" } })).body.message).toContain("has this key or id");
});

test("each write takes the lock first, and a new record is what its check has found", async () => {
  await create({ key: "east", kind: "buoy" });
  await update("east", { depth: 5 });
  await remove("east");
  expect(calls).toEqual(["lock true", "checked east", "lock true", "lock true"]);
});

test("further errors of a body are reported with those of its shape", async () => {
  const { status, body } = await create({ key: "west", kind: "raft", depth: -1 });
  expect([status, body.details]).toMatchObject([422, [{ path: "/kind" }, { path: "/depth" }]]);
  expect((await create({ key: "west", kind: "raft" })).body.details).toMatchObject([{ path: "/kind" }]);
});

test("a computed member is read where `fields` asks for it, and lists do not have it", async () => {
  await create({ key: "deep", kind: "pier", depth: 30 });
  calls = [];
  expect((await send("getMooring", { params: { key: "deep" } })).body.tide).toBe(31);
  expect((await send("getMooring", { params: { key: "deep" }, query: "?fields=depth" })).body).toEqual({ depth: 30 });
  expect(calls).toEqual(["read", "load 1", "tide", "read", "load 1"]);
  expect((await send("listMoorings", { query: "?fields=tide" })).status).toBe(400);
  await remove("deep");
});

test("a PUT reads its row once, whatever is sent back to it", async () => {
  await create({ key: "once", kind: "pier" });
  const { body } = await send("getMooring", { params: { key: "once" } });
  calls = [];
  const answer = await update("once", { ...body, berth: "other", depth: 2 });
  expect([answer.status, answer.body.warnings]).toMatchObject([200, [{ path: "/berth", code: "read_only" }]]);
  expect(calls).toEqual(["lock true", "load 1"]);
  await remove("once");
});

test("secret members are answered once more to a repeat, and are not stored with the answer", async () => {
  const headers = { "idempotency-key": "secret" };
  const first = await create({ key: "quay", kind: "pier" }, headers);
  const again = await create({ key: "quay", kind: "pier" }, headers);
  expect(first.body.code).toBe("pier code of quay");
  expect([again.body, again.headers["cache-control"]]).toEqual([first.body, "no-store"]);
  const answers = await service.postgres.query({ text: "SELECT answer::text FROM intake.idempotency" });
  expect(JSON.stringify(answers)).toMatch(/quay/);
  expect(JSON.stringify(answers)).not.toMatch(/pier code/);
  await remove("quay");
});

test("a filter by a list selects the records that have one of its values", async () => {
  for (const [key, tags] of [
    ["a", ["x"]],
    ["b", ["y", "z"]],
    ["c", null],
  ] as const)
    await create({ key, kind: "buoy", tags });
  expect(await keysOf("?tags=x,%20z&per_page=1&return_count=true")).toEqual(["a"]);
  expect(await keysOf("?tags=x,%20z")).toEqual(["a", "b"]);
  expect(await keysOf("?tags=w")).toEqual([]);
});
