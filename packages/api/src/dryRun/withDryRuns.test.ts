import { serveService } from "@headwater/service/testService";
import { expect, test } from "vitest";
import { z } from "zod";

const service = serveService([]);
const { send } = service;
const dry = { query: "?dryRun=true" };
const tables = z.array(z.object({ name: z.string() }));

/** Returns a digest of each table, by its name. */
async function content(): Promise<Record<string, string>> {
  const named = await service.postgres.query({
    text: "SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema')",
  });
  const digests: Record<string, string> = {};
  for (const { name } of tables.parse(named)) {
    const text = `SELECT coalesce(md5(string_agg(t::text, ',' ORDER BY t::text)), '') AS digest FROM ${name} t`;
    const [row] = await service.postgres.query({ text });
    digests[name] = String(row?.digest);
  }
  return digests;
}

async function created(operation: string, member: string) {
  const answer = await send(operation);
  expect(answer.status).toBeLessThan(300);
  return String(answer.body[member]);
}

test("a dry run of a plain resource's writes tells what each would do, and writes nothing", async () => {
  const before = await content();
  const create = await send("createProgram", dry);
  expect(create).toMatchObject({
    status: 200,
    body: {
      ...{ dryRun: true, status: 201, answer: { success: true, id: expect.stringMatching(/^[0-9a-f]{24}$/) } },
      changes: [{ path: "", from: null, to: { name: "Spring sale" } }],
      ...{ counts: { created: 1, updated: 0, deleted: 0, jobs: 0, records: 0 }, starts: 0, warnings: [] },
      digest: expect.stringMatching(/^[\w-]{43}$/),
    },
  });
  expect(await content()).toEqual(before);
  const params = { id: await created("createProgram", "id") };
  const stored = await content();
  const update = await send("updateProgram", { params, ...dry });
  expect(update.body).toMatchObject({ status: 200, counts: { updated: 1 } });
  expect(update.body.changes).toContainEqual({ path: "/name", from: "Spring sale", to: "Spring sale 2026" });
  const remove = await send("deleteProgram", { params, ...dry });
  expect(remove.body).toMatchObject({ counts: { deleted: 1 }, changes: [{ path: "", to: null }] });
  expect(await content()).toEqual(stored);
});

test("a dry run of a contact's write has its changes, a new one's too", async () => {
  const before = await content();
  const create = await send("createContact", dry);
  expect(create.body).toMatchObject({ status: 201, counts: { created: 1 }, starts: 0 });
  expect(await content()).toEqual(before);
  const made = await send("createContact");
  const params = { primary_key: String(made.body.cID) };
  const stored = await content();
  const update = await send("updateContact", { params, ...dry, body: { attributes: { country: "FR" } } });
  expect(update.body.changes).toContainEqual({ path: "/attributes/country", from: expect.anything(), to: "FR" });
  expect(await content()).toEqual(stored);
});

test("a refusal keeps its status and code, and a key is not used up", async () => {
  const headers = { "idempotency-key": "once" };
  const refused = await send("createProgram", { ...dry, headers, body: { name: "x" } });
  expect([refused.status, refused.body.code]).toEqual([422, "VALIDATION_ERROR"]);
  expect((await send("createProgram", { ...dry, headers })).status).toBe(200);
  const real = await send("createProgram", { headers, body: { name: "Other", messages: { tags: ["b"] } } });
  expect([real.status, real.headers["idempotency-replayed"]]).toEqual([201, undefined]);
});

test("a call with the digest of its dry run is done while it does the same, and refused once it would not", async () => {
  const params = { id: await created("createProgram", "id") };
  const body = { name: "Autumn" };
  const { digest } = (await send("updateProgram", { params, body, ...dry })).body;
  expect((await send("updateProgram", { params, body, ...dry })).body.digest).toBe(digest);
  expect((await send("updateProgram", { params, body: { name: "Winter" } })).status).toBe(200);
  const before = await content();
  const stale = await send("updateProgram", { params, body, query: `?expect=${digest}` });
  expect([stale.status, stale.body.code]).toEqual([409, "PREVIEW_STALE"]);
  expect(await content()).toEqual(before);
  const again = (await send("updateProgram", { params, body, ...dry })).body.digest;
  const call = { params, body, query: `?expect=${again}`, headers: { "idempotency-key": "expecting" } };
  const done = await send("updateProgram", call);
  expect([done.status, done.body.success, done.headers["headwater-receipt"]]).toEqual([200, true, expect.any(String)]);
  const repeat = await send("updateProgram", call);
  expect([repeat.status, repeat.headers["idempotency-replayed"]]).toEqual([200, "true"]);
});

test("the digest of a new record leaves out its id and times", async () => {
  const body = { channels: { email: { address: "new@example.com" } } };
  const first = (await send("createContact", { body, ...dry })).body;
  await new Promise((resolve) => setTimeout(resolve, 5));
  const second = (await send("createContact", { body, ...dry })).body;
  expect(second.digest).toBe(first.digest);
  expect(second.answer.cID).not.toBe(first.answer.cID);
  const done = await send("createContact", { body, query: `?expect=${first.digest}` });
  expect(done.status).toBe(201);
  const stale = await send("createContact", { body, query: `?expect=${first.digest}` });
  expect([stale.status, stale.body.code]).toEqual([409, "PREVIEW_STALE"]);
});

test.each([
  ["createProgram", "?dryRun=maybe", 400, "/dryRun"],
  ["createProgram", "?expect=short", 400, "/expect"],
  ["createProgram", "?dryRun=true&color=red", 400, "/color"],
  ["listPrograms", "?dryRun=true", 400, "/dryRun"],
  ["createUpload", "?dryRun=true", 422, "/dryRun"],
])("%s%s is refused with %i", async (operation, query, status, path) => {
  const answer = await send(operation, { query, ...(operation === "createUpload" && { body: "bytes" }) });
  expect([answer.status, answer.body.details?.[0]?.path]).toEqual([status, path]);
});
