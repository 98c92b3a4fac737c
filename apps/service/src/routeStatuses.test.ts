import { type ClickHouse, createClickHouse } from "@headwater/clickhouse/clickhouse";
import { defaultSettings, roles } from "@headwater/contracts";
import { type Caller, type HttpServer, type KeyCache, refusal } from "@headwater/http";
import { rightsOf } from "@headwater/identity/roles/role";
import { createLogger, createMetrics } from "@headwater/kernel";
import { createPostgres, type Postgres } from "@headwater/postgres/connection/postgres";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { serviceDocument } from "./document.ts";
import { createServiceServer } from "./serviceServer.ts";
import { decidedRoles } from "./testRoles.ts";

const methodShape = z.object({
  operationId: z.string(),
  security: z.array(z.record(z.string(), z.array(z.string()))).default([]),
  parameters: z.array(z.object({ name: z.string(), in: z.string(), required: z.boolean().default(false) })).default([]),
  requestBody: z
    .object({ content: z.record(z.string(), z.object({ example: z.unknown(), examples: z.unknown() }).partial()) })
    .optional(),
});
const pathsShape = z.record(z.string(), z.record(z.string(), methodShape));

interface Operation {
  readonly name: string;
  readonly method: string;
  readonly url: string;
  readonly scopes: readonly string[];
  readonly mediaType: string | undefined;
  readonly example: unknown;
}

/** Values that every route's path takes. */
const pathValues: Readonly<Record<string, string>> = {
  primary_key: "email:ada@example.com",
  id: "1",
  channel: "email",
  qty: "1",
};
/** Values of parameters that a route cannot do without. */
const queryValues: Readonly<Record<string, string>> = {
  ...{ start_date: "2026-03-01", end_date: "2026-03-31" },
  channel: "email",
};
const operations: readonly Operation[] = Object.entries(pathsShape.parse((await serviceDocument()).paths)).flatMap(
  ([path, methods]) =>
    Object.entries(methods).map(([method, { operationId, security, parameters, requestBody }]) => {
      const [[mediaType, content] = []] = Object.entries(requestBody?.content ?? {});
      const needed = parameters.filter((one) => one.in === "query" && one.required);
      const query = new URLSearchParams(needed.map(({ name }) => [name, queryValues[name] ?? ""]));
      const position = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
        encodeURIComponent(pathValues[name] ?? "cars"),
      );
      const url = needed.length === 0 ? position : `${position}?${query}`;
      const scopes = security.flatMap((proof) => Object.values(proof).flat());
      return { name: operationId, method: method.toUpperCase(), url, scopes, mediaType, example: content?.example };
    }),
);

/** Stores at an address where nobody answers. */
const NOWHERE = "127.0.0.1:1/nowhere";
const logger = createLogger({ name: "test", level: "silent" });
/** Calls of one account come faster here than any person's. */
const limits = {
  ...defaultSettings.limits,
  readPerSecond: 10_000,
  writePerSecond: 10_000,
  jobStartPerSecond: 10_000,
  audienceCountPerSecond: 10_000,
};
const settings = { ...defaultSettings, limits };
const account = { number: 1, id: "65f0c0ffee65f0c0ffee0001", name: "test", settings };
const known: Readonly<Record<string, Caller>> = {
  owner: { kind: "key", id: "k1", name: "owner", account, scopes: ["read", "write", "admin"] },
  stranger: { kind: "key", id: "k2", name: "stranger", account, scopes: ["none"] },
};
/** A person of each role, under the name of the role. */
const people = new Map<string, Caller>(
  roles.map((role) => [role, { kind: "person", id: role, name: role, account, role, ...rightsOf(role) }]),
);
const keys: KeyCache = { find: (key) => known[key] ?? people.get(key), changed: () => undefined, usedSince: () => [] };

let server: HttpServer;
let postgres: Postgres;
let clickHouse: ClickHouse;
beforeAll(async () => {
  const url = `postgres://${NOWHERE}`;
  postgres = createPostgres({ url, poolMax: 2, applicationName: "test", statementTimeoutMs: 1_000, logger });
  clickHouse = createClickHouse({ url: `http://${NOWHERE}`, requestTimeoutMs: 1_000, logger });
  const refuse = () => Promise.reject(refusal("SERVICE_UNAVAILABLE", "Kafka is unavailable."));
  const metrics = createMetrics({ processMetrics: false });
  const streams = { producer: { append: refuse }, highWatermarks: refuse };
  server = createServiceServer({
    logger,
    metrics,
    plainHttp: "loopback",
    postgres,
    clickHouse,
    ...streams,
    keys,
    secret: "s".repeat(32),
  });
  await server.ready();
});
afterAll(async () => {
  await server.stop();
  await Promise.all([postgres.close(), clickHouse.close()]);
});

interface Sent {
  readonly key?: string;
  readonly search?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly payload?: string;
}

async function send({ method, url, mediaType, example }: Operation, { key, search = "", ...input }: Sent = {}) {
  const proof = key === undefined ? {} : { authorization: `Basic ${Buffer.from(`${key}:`).toString("base64")}` };
  const type = mediaType === undefined ? {} : { "content-type": mediaType };
  const body = input.payload ?? (example === undefined ? undefined : JSON.stringify(example));
  const answer = await server.inject({
    method: z.enum(["GET", "POST", "PUT", "PATCH", "DELETE"]).parse(method),
    url: url + (url.includes("?") ? search.replace("?", "&") : search),
    headers: { ...type, ...proof, ...input.headers },
    ...(body !== undefined && { payload: body }),
  });
  const { code } = z.object({ code: z.string().optional() }).parse(answer.json());
  return { status: answer.statusCode, code };
}

const scoped = operations.filter(({ scopes }) => scopes.length > 0);
const withBody = scoped.filter(({ mediaType }) => mediaType === "application/json");
/** Routes that refuse the request of this test before they ask a store: a receipt is opened first. */
const WITHOUT_STORE: ReadonlySet<string> = new Set(["getReceipt"]);
/** Routes whose parameters are validated by what is stored: a table's indexed fields. */
const STORED_PARAMETERS: ReadonlySet<string> = new Set(["listSupplementrecords"]);
/** Routes that answer without any store. */
const STORELESS: ReadonlySet<string> = new Set(["listRoles", "whoami"]);
const stored = operations.filter(({ name }) => !WITHOUT_STORE.has(name) && !STORELESS.has(name));
const strict = scoped.filter(({ name }) => !STORED_PARAMETERS.has(name));

test("the document describes the routes that are called here", () => {
  expect([scoped.length > 60, withBody.length > 25, stored.length >= scoped.length]).toEqual([true, true, true]);
});

describe("a route with a scope", () => {
  test.each(scoped)("$name answers 401 without a key and with an unknown one", async (operation) => {
    expect(await send(operation)).toMatchObject({ status: 401, code: "AUTHENTICATION_FAILED" });
    expect(await send(operation, { key: "unknown" })).toMatchObject({ status: 401, code: "AUTHENTICATION_FAILED" });
  });

  test.each(scoped)("$name answers 403 to a key without its scope", async (operation) => {
    expect(await send(operation, { key: "stranger" })).toMatchObject({ status: 403, code: "INSUFFICIENT_SCOPE" });
  });

  test.each(strict)("$name answers 400 to an unknown parameter", async (operation) => {
    expect((await send(operation, { key: "owner", search: "?unknown-parameter=1" })).status).toBe(400);
  });
});

describe("a role", () => {
  const decided = decidedRoles();

  test("is decided on for every route, and for none that is gone", () => {
    expect(operations.map(({ name }) => name).toSorted()).toEqual([...decided.keys()].toSorted());
  });

  test.each(roles)("%s may call what was decided, and gets 403 from every other route", async (role) => {
    const refused: string[] = [];
    for (const operation of operations) {
      const { status, code } = await send(operation, { key: role });
      if (status === 403 && code === "INSUFFICIENT_SCOPE") refused.push(operation.name);
    }
    const closed = operations.map(({ name }) => name).filter((name) => decided.get(name)?.includes(role) !== true);
    expect(refused.toSorted()).toEqual(closed.toSorted());
  });

  test("a viewer counts, and sees neither one contact nor a sample of them", async () => {
    const count = operations.filter(({ name }) => name === "countAudience");
    expect(count).toHaveLength(1);
    for (const operation of count)
      for (const more of [{ sampleSize: 3, explain: true }, { contact: "email:ada@example.com" }]) {
        const payload = JSON.stringify({ and: [], ...more });
        expect(await send(operation, { key: "viewer", payload })).toMatchObject({ status: 403 });
        expect(await send(operation, { key: "analyst", payload })).toMatchObject({ status: 503 });
      }
  });
});

describe("a route with a body", () => {
  test.each(withBody)("$name answers 400 to what is no JSON, and 415 to another media type", async (operation) => {
    expect(await send(operation, { key: "owner", payload: "{" })).toMatchObject({
      status: 400,
      code: "INVALID_JSON_PROVIDED",
    });
    const headers = { "content-type": "text/plain" };
    expect(await send(operation, { key: "owner", headers })).toMatchObject({
      status: 415,
      code: "UNSUPPORTED_MEDIA_TYPE",
    });
  });
});

describe("with every store away", () => {
  test.each(stored)("$name takes its documented example and answers 503", async (operation) => {
    expect(await send(operation, { key: "owner" })).toMatchObject({ status: 503, code: "SERVICE_UNAVAILABLE" });
  });
});
