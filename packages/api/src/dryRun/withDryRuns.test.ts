import { serveService, type TestService } from "@headwater/service/testService";
import { expect, test } from "vitest";
import { z } from "zod";

/** Scopes of the key that calls. */
const held: string[] = ["read", "write", "intake"];
const service: TestService = serveService([], {
  keys: {
    find: () => ({ kind: "key", id: "k1", name: "test", account: service.account, scopes: [...held] }),
    changed: () => undefined,
    usedSince: () => [],
  },
});
const { send } = service;

async function withScopes<Result>(scopes: readonly string[], call: () => Promise<Result>): Promise<Result> {
  const before = held.splice(0, held.length, ...scopes);
  try {
    return await call();
  } finally {
    held.splice(0, held.length, ...before);
  }
}
const dry = { query: "?dryRun=true" };
const tables = z.array(z.object({ name: z.string() }));

/** Returns a digest of each table, by its name. */
async function content(): Promise<Record<string, string>> {
  const named = await service.postgres.query({
    text: "SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema')",
  });
  const digests = tables.parse(named).map(({ name }) => {
    return `SELECT '${name}' AS name, md5(string_agg(t::text, ',' ORDER BY t::text)) AS digest FROM ${name} t`;
  });
  const rows = await service.postgres.query({ text: digests.join(" UNION ALL ") });
  return Object.fromEntries(rows.map(({ name, digest }) => [String(name), String(digest)]));
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

test("a key that may not read a record gets the paths of its changes without values", async () => {
  const params = { id: await created("createProgram", "id") };
  const { body } = await withScopes(["programs:write"], () => send("updateProgram", { params, ...dry }));
  expect(body.changes).toContainEqual({ path: "/name" });
  expect(JSON.stringify(body.changes)).not.toContain("Spring");
  expect(body.warnings).toMatchObject([{ code: "values_hidden" }]);
});

test("a dry run of a merge names the survivor and the conflicts, and needs contacts:read alone", async () => {
  const contact = (address: string, attributes: object) => ({ channels: { email: { address } }, attributes });
  const a = await send("createContact", { body: contact("a@example.com", { city: "Graz", size: 1 }) });
  const b = await send("createContact", { body: contact("b@example.com", { city: "Linz", age: 7 }) });
  const body = {
    sourceContact: "a@example.com",
    destinationContact: "b@example.com",
    options: { attributes: "sourceContact" },
  };
  const before = await content();
  const merge = (query: string) => withScopes(["contacts:read"], () => send("mergeContacts", { body, query }));
  const dryRun = await merge("?dryRun=true");
  expect(dryRun.body).toMatchObject({
    ...{ status: 202, survivor: b.body.cID, counts: { jobs: 1 }, warnings: [{ code: "not_run" }] },
    conflicts: expect.arrayContaining([
      { path: "/attributes/city", source: "Graz", destination: "Linz", wins: "source" },
      { path: "/identifiers/email", source: "a@example.com", destination: "b@example.com", wins: "destination" },
    ]),
    changes: expect.arrayContaining([
      { path: "/attributes/city", from: "Linz", to: "Graz" },
      { path: "/attributes/size", from: null, to: 1 },
    ]),
  });
  expect(await content()).toEqual(before);
  expect((await merge("")).status).toBe(403);
  expect((await merge(`?expect=${dryRun.body.digest}`)).status).toBe(403);
  expect((await send("getContact", { params: { primary_key: String(a.body.cID) } })).body.cID).toBe(a.body.cID);
});

test("a dry run of a split has the members that the contact loses", async () => {
  const channels = { email: { address: "two@example.com" }, sms: { address: "+436601234567" } };
  await send("createContact", { body: { channels } });
  const body = { primaryKey: "two@example.com", channelNames: ["sms"] };
  const { changes } = (await send("splitContact", { body, ...dry })).body;
  expect(changes).toContainEqual({ path: "/identifiers/phone", from: "+436601234567", to: null });
});

test("a write starts an unknown number where something waits for its changes, unless it starts nothing by itself", async () => {
  const startsOf = async (operation: string, body: object) => (await send(operation, { body, ...dry })).body.starts;
  const activity = { email: "ada@example.com", action: "visit" };
  const contact = { channels: { email: { address: "zoe@example.com" } } };
  expect(await startsOf("createContactactivity", activity)).toBe(0);
  await service.postgres.execute({
    text: `INSERT INTO event_triggers (account, mdt_id, action, conditions) VALUES (${service.account.number}, 'm', 'visit', '[]')`,
  });
  expect(await startsOf("createContactactivity", activity)).toBe("unknown");
  const joining = { ...contact, lists: { vip: true } };
  expect(await startsOf("createContact", contact)).toBe(0);
  expect(await startsOf("createContact", joining)).toBe(0);
  expect(await startsOf("createContact", { ...joining, suppressTriggers: false })).toBe("unknown");
  await service.postgres.execute({ text: "DELETE FROM event_triggers" });
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
  for (const query of [`?expect=${digest}`, `?dryRun=true&expect=${digest}`]) {
    const stale = await send("updateProgram", { params, body, query });
    expect([stale.status, stale.body.code]).toEqual([409, "PREVIEW_STALE"]);
  }
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
  ["createProgram", "?dryRun=maybe", 400, "/dryRun", "`dryRun` must be true or false."],
  ["createProgram", "?expect=short", 400, "/expect", "`expect` must be the digest of a dry run, 43 characters."],
  ["createProgram", "?dryRun=true&color=red", 400, "/color", '"color" is not a known member.'],
  ["listPrograms", "?dryRun=true", 400, "/dryRun", '"dryRun" is not a known member.'],
  ["createUpload", "?dryRun=true", 422, "/dryRun", "The call has no dry run."],
])("%s%s is refused with %i", async (operation, query, status, path, message) => {
  const answer = await send(operation, { query, ...(operation === "createUpload" && { body: "bytes" }) });
  const [detail] = answer.body.details ?? [];
  expect([answer.status, detail?.path, detail?.message]).toEqual([status, path, message]);
});
