import { createSealer } from "@headwater/kernel";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { seedDeadLetters } from "../intake/letters.ts";
import { seedBatchMessage, seedTransport } from "../openApi/exampleRows.ts";
import { type Called, type Running, startService } from "../service/running.ts";
import { everyWrite } from "./everyWrite.ts";

interface Tried {
  readonly dry: Called;
  /** Tables and topics that the dry run changed. */
  readonly changed: readonly string[];
  /** The call itself, with the digest of its dry run. */
  readonly done: Called;
}

const tried = new Map<string, Tried>();
let service: Running;

beforeAll(async () => {
  service = await startService({ sealer: createSealer([Buffer.alloc(32, 7)]) });
  const { account } = await service.account();
  const key = await service.key(account, { scopes: ["read", "write", "intake", "admin"] });
  await seedDeadLetters(service.postgres, account, [{ recordId: "r1:0:0" }, { recordId: "r2:0:0" }]);
  await seedTransport(service, account);
  await seedBatchMessage(service, account);
  const digests = await digestsOf(service);
  const given = (operation: string, member: string) => String(tried.get(operation)?.done.body[member]);
  for (const [operation, write] of Object.entries(everyWrite(["r1:0:0", "r2:0:0"]))) {
    const { path, ...rest } = write(given);
    const asked = (parameter: string) => `${path}${path.includes("?") ? "&" : "?"}${parameter}`;
    const headers = { "idempotency-key": operation };
    const before = await digests();
    const dry = await service.call(key, asked("dryRun=true"), { ...rest, headers });
    const after = await digests();
    const changed = Object.keys(after).filter((name) => after[name] !== before[name]);
    const isTried = dry.status === 200;
    const done = await service.call(key, isTried ? asked(`expect=${dry.body.digest}`) : path, { ...rest, headers });
    tried.set(operation, { dry, changed, done });
  }
});
afterAll(() => service.stop());

const named = z.array(z.object({ name: z.string() }));
const digested = z.array(z.object({ name: z.string(), digest: z.string() }));

/** Returns what digests the content of each table, and counts what is in the log. */
async function digestsOf({ postgres, log }: Running): Promise<() => Promise<Record<string, string>>> {
  const text = `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
    WHERE schemaname NOT IN ('pg_catalog', 'information_schema') ORDER BY 1`;
  const tables = named.parse(await postgres.query({ text }));
  const selects = tables.map(({ name }) => {
    return `SELECT '${name}' AS name, coalesce(md5(string_agg(t::text, ',' ORDER BY t::text)), '') AS digest FROM ${name} t`;
  });
  return async () => {
    const rows = digested.parse(await postgres.query({ name: "digests", text: selects.join(" UNION ALL ") }));
    return { ...Object.fromEntries(rows.map(({ name, digest }) => [name, digest])), log: String(log.appended.length) };
  };
}

const operation = z.looseObject({ operationId: z.string(), "x-dry-run": z.string().optional() });
const document = z.looseObject({ paths: z.record(z.string(), z.record(z.string(), operation)) });

/** Calls that write nothing, though they are no GET. */
const READS = ["countAudience", "checkTransport", "sendTestWebhook", "simulateAlert"];

test("every route that writes states its class, and is tried here", async () => {
  const { paths } = document.parse(await (await fetch(`${await service.listen()}/docs/json`)).json());
  const others = Object.values(paths).flatMap((methods) =>
    Object.entries(methods).flatMap(([method, one]) => (method === "get" ? [] : [one])),
  );
  const writes = others.filter(({ operationId }) => !READS.includes(operationId));
  expect(writes.filter((one) => one["x-dry-run"] === undefined)).toEqual([]);
  expect([...tried.keys()].toSorted()).toEqual(writes.map(({ operationId }) => operationId).toSorted());
  const none = writes.filter((one) => one["x-dry-run"] === "none").map(({ operationId }) => operationId);
  const refused = [...tried].filter(([, { dry }]) => dry.status !== 200);
  expect(refused.map(([name, { dry }]) => `${name} ${dry.status} ${dry.text}`)).toEqual(
    none.map((name) => expect.stringMatching(`${name} 422 .*not_allowed`)),
  );
});

test("a dry run changes no table and no topic", () => {
  const changed = [...tried].flatMap(([name, one]) => one.changed.map((table) => `${name} ${table}`));
  expect(changed).toEqual([]);
});

test("a dry run answers no key, secret or receipt", () => {
  const secrets = [...tried].flatMap(([name, { done }]) => (SECRETS[name] ?? []).map((member) => done.body[member]));
  expect(secrets.filter((secret) => typeof secret === "string").length).toBeGreaterThanOrEqual(4);
  const answers = [...tried.values()].map(({ dry }) => dry.text).join();
  for (const secret of [...secrets, "planted-secret", "whsec_", "hw_0"]) expect(answers).not.toContain(secret);
});

test("a dry run has no receipt in its headers", () => {
  expect([...tried].filter(([, { dry }]) => "headwater-receipt" in dry.headers)).toEqual([]);
});

test("the call with the digest of its dry run is done, and answers what the dry run said", () => {
  for (const [name, { dry, done }] of tried) {
    if (dry.status !== 200) continue;
    expect([name, done.status, done.text]).toEqual([name, dry.body.status, expect.any(String)]);
    const { requestId: _, ...answer } = dry.body.answer;
    expect([name, alike(answer)]).toEqual([name, alike(without(done.body, [...(SECRETS[name] ?? []), "requestId"]))]);
  }
});

/** Secrets and receipts that a dry run does not answer. */
const SECRETS: Readonly<Record<string, readonly string[]>> = {
  createApikey: ["key"],
  createTransport: ["eventsUrl"],
  updateTransport: ["eventsUrl"],
  createWebhook: ["secret"],
  transformDatajob: ["receipt"],
  updateAccountlistmembers: ["receipt"],
};

function without(body: object, names: readonly string[]): object {
  return Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)));
}

const GENERATED = /[0-9a-f]{24}|\d{4}-\d\d-\d\dT[\d:.]+Z|[\w-]{20}:0:0|hw_\w+/g;

/** Returns a body with ids and times replaced. */
function alike(body: unknown): unknown {
  return JSON.parse(JSON.stringify(body ?? null).replaceAll(GENERATED, "…"));
}

type Arguments = Parameters<Running["call"]>;

/** Sends calls at once, and each again where the service asks for it: other tests may hold all that Postgres can do. */
function atOnce(...[key, url, options]: Arguments): Promise<Called[]> {
  const call = async (attempts = 10): Promise<Called> => {
    const answer = await service.call(key, url, options);
    return answer.status === 503 && attempts > 1 ? call(attempts - 1) : answer;
  };
  return Promise.all(Array.from({ length: 6 }, () => call()));
}

test("of repeats at once under one Idempotency-Key and digest one is done, and all get its answer", async () => {
  const { account } = await service.account();
  const key = await service.key(account, { scopes: ["read", "write"] });
  const write = { method: "POST", body: { name: "once", messages: { tags: ["a"] } } } as const;
  const { digest } = (await service.call(key, "/v2/programs?dryRun=true", write)).body;
  const headers = { "idempotency-key": "at once" };
  const answers = await atOnce(key, `/v2/programs?expect=${digest}`, { ...write, headers });
  expect(new Set(answers.map(({ status, body }) => `${status} ${body.id}`)).size).toBe(1);
  expect((await service.call(key, "/v2/programs")).body.data).toHaveLength(1);
});

test("of writes with one digest at once one is done, and the others are stale", async () => {
  const { account } = await service.account();
  const key = await service.key(account, { scopes: ["read", "write"] });
  const contact = { channels: { email: { address: "ada@example.com" } } };
  const { cID } = (await service.call(key, "/v2/contacts", { method: "POST", body: contact })).body;
  const add = { method: "POST", body: { productID: "p", sku: "s", category: "c", name: "n", qty: 1 } } as const;
  const { digest } = (await service.call(key, `/v2/contacts/${cID}/cartitems?dryRun=true`, add)).body;
  const answers = await atOnce(key, `/v2/contacts/${cID}/cartitems?expect=${digest}`, add);
  const statuses = answers.map(({ status, body }) => body.code ?? status);
  expect(statuses.filter((status) => status !== "PREVIEW_STALE")).toEqual([201]);
  expect((await service.call(key, `/v2/contacts/${cID}/cart`)).body.items).toMatchObject([{ qty: 1 }]);
});
