import { revokeApiKey } from "@headwater/accounts/accounts/apiKeys";
import { connect, createMemoryTerminal, runCommand } from "@headwater/cli";
import { defaultSettings } from "@headwater/contracts";
import type { Operation } from "@headwater/intake/operations/operation";
import { operations } from "@headwater/intake/operations/registry";
import { partnerEndpoints } from "@headwater/intake/partners/registry";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { addAccount, type Ingress, post, receiptOf, startIngress, type TestAccount } from "./ingressFixture.ts";

let ingress: Ingress;
let caller: TestAccount;
beforeAll(async () => {
  ingress = await startIngress();
  caller = await addAccount(ingress.database);
});
afterAll(() => ingress.stop());

const registry: readonly Operation[] = operations;
const paths = registry.flatMap(({ name, sample }) => [
  { path: `/api/${name}`, body: sample },
  { path: `/api/${name}/batch`, body: { items: [sample] } },
]);
const call = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  post(ingress.url, { path, key: caller.key, body, headers });

const person = (email: string) => ({ identifiers: { email }, attributes: { n: 1 }, canBeCreated: true });

describe.each(paths)("$path", ({ path, body }) => {
  test("takes its sample, and the log holds its records under the receipt's places", async () => {
    const answer = await call(path, body);
    expect([answer.status, answer.body.warnings]).toEqual([202, undefined]);
    const { requestId, accountId, parts } = receiptOf(answer);
    expect([requestId, accountId]).toEqual([answer.body.requestId, caller.account.id]);
    const count = parts.reduce((sum, part) => sum + part.count, 0);
    const records = await ingress.recordsOf(requestId, count);
    expect(count).toBeGreaterThan(0);
    expect(records[0]).toMatchObject({ id: `${requestId}:0:0`, account: caller.account.id });
    expect(parts.map(({ lane: stream }) => stream)).toEqual(parts.map(() => 1));
    expect(new Set(records.map(({ partition }) => partition))).toEqual(
      new Set(parts.map(({ partition }) => partition)),
    );
  });

  test("401 without a key", async () => {
    expect(await post(ingress.url, { path, body })).toMatchObject({
      status: 401,
      body: { code: "AUTHENTICATION_FAILED" },
    });
  });

  test("403 for a key without the scope", async () => {
    const reader = await addAccount(ingress.database, { scopes: ["read"] });
    expect(await post(ingress.url, { path, body, key: reader.key })).toMatchObject({
      status: 403,
      body: { code: "INSUFFICIENT_SCOPE" },
    });
  });

  test("400 for a parameter nobody knows", async () => {
    const answer = await call(`${path}?verbos=true`, body);
    expect(answer).toMatchObject({ status: 400, body: { code: "BAD_REQUEST", details: [{ path: "/verbos" }] } });
  });

  test("405 for another method", async () => {
    const response = await fetch(`${ingress.url}${path}`);
    expect([response.status, response.headers.get("allow")]).toEqual([405, "POST"]);
  });

  test("413, 415 and 422 for a body that is too large, of another type, or wrong", async () => {
    const tooLarge = `"${"x".repeat(10 * 1024 * 1024)}"`;
    expect(await call(path, tooLarge)).toMatchObject({ status: 413, body: { limit: { what: "bytes" } } });
    expect(await call(path, body, { "content-type": "text/csv" })).toMatchObject({ status: 415 });
    expect(await call(path, "{")).toMatchObject({ status: 422, body: { code: "INVALID_JSON_PROVIDED" } });
    expect(await call(path, path.endsWith("batch") ? { items: [{}] } : {})).toMatchObject({
      status: 422,
      body: { code: "VALIDATION_ERROR" },
    });
  });

  test("429 when the key's second is used up", async () => {
    const limits = { ...defaultSettings.limits, intakePerSecond: 1 };
    const slow = await addAccount(ingress.database, { settings: { limits } });
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => post(ingress.url, { path: `${path}?validateOnly=true`, body, key: slow.key })),
    );
    const statuses = answers.map(({ status }) => status);
    expect([statuses.includes(200), statuses.includes(429)]).toEqual([true, true]);
  });

  test("200 with verdicts and nothing written when it is only to be validated", async () => {
    const before = ingress.records.length;
    const answer = await call(`${path}?validateOnly=true`, body);
    const { requestId: _requestId, ...verdicts } = answer.body;
    expect([answer.status, verdicts]).toEqual([200, { valid: 1, rejected: 0, items: [], warnings: [] }]);
    const marker = await call("/api/upsertContact", person("marker@example.com"));
    await ingress.recordsOf(marker.body.requestId, 1);
    expect(ingress.records.filter(({ id }) => id.startsWith(answer.body.requestId))).toEqual([]);
    expect(ingress.records.length).toBeGreaterThan(before);
  });
});

describe("a key", () => {
  test("is tested by checkAuth", async () => {
    const ask = (headers: Record<string, string>) => fetch(`${ingress.url}/api/checkAuth`, { headers });
    const good = await ask({ "x-api-key": caller.key });
    expect([good.status, await good.json()]).toMatchObject([200, { success: true, accountId: caller.account.id }]);
    expect((await ask({})).status).toBe(401);
    expect((await ask({ "x-api-key": "hw_nobody" })).status).toBe(401);
  });

  test("a revoked key is refused within a moment", async () => {
    const revoked = await addAccount(ingress.database);
    const ask = async () =>
      (await post(ingress.url, { path: "/api/upsertContact", key: revoked.key, body: person("r@example.com") })).status;
    expect(await ask()).toBe(202);
    await revokeApiKey(ingress.database, revoked.account.number, revoked.keyId);
    await expect.poll(ask).toBe(401);
  });
});

describe("the OpenAPI document", () => {
  const shape = z.looseObject({
    openapi: z.string(),
    paths: z.record(z.string(), z.record(z.string(), z.looseObject({ requestBody: z.unknown().optional() }))),
  });
  const media = z.object({ content: z.object({ "application/json": z.looseObject({ example: z.unknown() }) }) });

  test("has an example for every route that takes a body, and each of them is accepted", async () => {
    const document = shape.parse(await (await fetch(`${ingress.url}/docs/json`)).json());
    expect(document.openapi).toBe("3.1.0");
    const ofPartners = new Set(partnerEndpoints.map(({ path }) => path));
    const all = Object.entries(document.paths).filter(([, methods]) => methods.post !== undefined);
    expect(all.filter(([path]) => ofPartners.has(path))).toHaveLength(partnerEndpoints.length);
    // Examples of partners are sent, signed where they have to be, by the tests in `partners/`.
    const posts = all.filter(([path]) => !ofPartners.has(path));
    expect(posts.map(([path]) => path).toSorted()).toEqual(paths.map(({ path }) => path).toSorted());
    for (const [path, { post: route }] of posts) {
      const { example } = media.parse(route?.requestBody).content["application/json"];
      expect([path, (await call(path, example)).status]).toEqual([path, 202]);
    }
  });
});

describe("the command", () => {
  async function headwater(words: string, input = "") {
    const { terminal, out } = createMemoryTerminal({ input });
    const env = { HEADWATER_HOME: "/nowhere", HEADWATER_BASE_URL: ingress.url, HEADWATER_API_KEY: caller.key };
    const code = await runCommand({ args: words.split(" "), env, terminal, connect });
    return { code, out: out() };
  }

  test("has its items and its batches taken", async () => {
    const contact = JSON.stringify(person("cli@example.com"));
    const sent = await headwater("ingest send upsertContact -f - --json", contact);
    expect(await ingress.recordsOf(JSON.parse(sent.out).requestId, 1)).toHaveLength(1);
    const batch = "ingest batch upsertContact -f - -o csv --fields items,accepted,rejected";
    expect(await headwater(batch, `${contact}\n{}\n`)).toEqual({ code: 1, out: "items,accepted,rejected\n2,1,1\n" });
  });
});
