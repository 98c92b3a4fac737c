import { inspect } from "node:util";
import { refused, type StubCall, type StubReply, startStubApi } from "@headwater/testing";
import { describe, expect, test } from "vitest";
import { ClientError, createServiceClient, dataOf, requestOf, type ServiceClientOptions } from "./index.ts";

const apiKey = "hw_a_secret_of_the_tests";
const retry = { minMs: 1, maxMs: 2 };

async function start(
  reply: (came: StubCall, count: number) => StubReply | "cut",
  more: Partial<ServiceClientOptions> = {},
) {
  const service = await startStubApi(reply);
  return {
    service,
    client: createServiceClient({ baseUrl: service.url, apiKey, retry, ...more }),
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  };
}

async function errorOf(promise: Promise<unknown>): Promise<ClientError> {
  const error = await promise.then(() => undefined).catch((reason: unknown) => reason);
  if (error instanceof ClientError) return error;
  throw new Error(`no error of the client but ${String(error)}`);
}

const order = { status: 200, body: { success: true, orderID: "o 1" } };

describe("a request", () => {
  test("goes where the document says, with the key as Basic user name, and its answer has the document's types", async () => {
    await using started = await start(() => ({ status: 200, body: { data: [], pagination: { next_cursor: null } } }));
    const { client, service } = started;
    const query = { email: "ada+1@example.com", "purchaseDate[gte]": "2026-01-09" };
    const { data } = dataOf(await client.api.GET("/v2/orders", { params: { query } }));
    expect(data).toEqual([]);
    const [{ path, headers }] = [service.came[0] ?? { path: "", headers: { authorization: "" } }];
    const asked = new URL(path, service.url);
    expect([asked.pathname, Object.fromEntries(asked.searchParams)]).toEqual(["/v2/orders", query]);
    expect(headers.authorization).toBe(`Basic ${Buffer.from(`${apiKey}:`).toString("base64")}`);
    expect(service.came[0]?.headers["idempotency-key"]).toBeUndefined();
  });

  test("of intake goes to intake's address with the key in its header, below the path that the address has", async () => {
    await using intake = await startStubApi(() => ({ status: 202, body: {} }));
    await using started = await start(() => order, { intakeUrl: `${intake.url}/in` });
    await started.client.request({ method: "POST", path: "/api/upsertContact", body: {} });
    expect(intake.came[0]).toMatchObject({ path: "/in/api/upsertContact", headers: { "x-api-key": apiKey } });
    expect(intake.came[0]?.headers.authorization).toBeUndefined();
    expect(started.service.came).toEqual([]);
  });

  test("has its path's values escaped, and needs each of them", () => {
    expect(requestOf("getOrder", { path: ["a/b c?"] }).path).toBe("/v2/orders/a%2Fb%20c%3F");
    expect(() => requestOf("getOrder")).toThrow("{id}");
    expect(() => requestOf("getOrder", { path: ["a", "b"] })).toThrow("no parameter b");
  });

  test("for anything but the API, or with a key that no header holds, is refused before it is sent", async () => {
    const client = createServiceClient({ baseUrl: "http://127.0.0.1:1", apiKey });
    await expect(async () => client.request({ method: "GET", path: "//example.com/v2/" })).rejects.toThrow("/v2/");
    expect(() => createServiceClient({ baseUrl: "http://example.com", apiKey })).toThrow("https");
    expect(() => createServiceClient({ baseUrl: "http://127.0.0.1:1", apiKey: "a\nb" })).toThrow(TypeError);
  });
});

describe("an answer that is no success", () => {
  test("is thrown with its code, message, details, request id and status, by every way of asking", async () => {
    const details = [{ path: "/email", code: "bad_value", message: "No.", allowed: ["a"] }];
    const body = { code: "VALIDATION_ERROR", message: "The item is invalid.", requestId: "r-9", details };
    await using started = await start(() => ({ status: 422, body }));
    const { client } = started;
    const expected = {
      code: "VALIDATION_ERROR",
      message: "The item is invalid.",
      requestId: "r-9",
      details,
      status: 422,
    };
    const typed = client.api.GET("/v2/orders/{id}", { params: { path: { id: "1" } } });
    expect(await errorOf(typed)).toMatchObject(expected);
    expect(await errorOf(client.call("getOrder", { path: ["1"] }))).toMatchObject(expected);
    expect(await errorOf(client.pages("listOrders").next())).toMatchObject(expected);
    expect(inspect(await errorOf(client.call("getOrder", { path: ["1"] })), { depth: 9 })).not.toContain(apiKey);
  });

  test.each([
    [429, "RATE_LIMITED"],
    [503, "SERVICE_UNAVAILABLE"],
    [409, "NOT_YET_APPLIED"],
    [409, "IDEMPOTENCY_IN_PROGRESS"],
  ])("%i %s is asked again, a write under the same Idempotency-Key", async (status, code) => {
    const events: unknown[] = [];
    await using started = await start((_came, count) => (count < 3 ? refused(status, code) : order), {
      onRetry: (event) => events.push(event),
    });
    const answer = await started.client.call("updateOrder", { path: ["o 1"], body: { status: "paid" } });
    expect(answer.body).toEqual(order.body);
    const keys = started.service.came.map(({ headers }) => headers["idempotency-key"]);
    expect([keys.length, new Set(keys).size, keys[0]?.length]).toEqual([3, 1, 36]);
    expect(events).toMatchObject([{ attempt: 1, status, code }, { attempt: 2 }]);
  });

  test("is waited for as long as Retry-After says, and not asked again for ever", async () => {
    const waits: number[] = [];
    await using started = await start(
      (_came, count) => refused(429, "RATE_LIMITED", count === 1 ? { "retry-after": "1" } : {}),
      {
        onRetry: ({ waitMs }) => waits.push(waitMs),
      },
    );
    expect(await errorOf(started.client.call("getOrder", { path: ["1"] }))).toMatchObject({
      status: 429,
      code: "RATE_LIMITED",
    });
    expect(started.service.came.length).toBe(4);
    expect(waits[0]).toBeGreaterThanOrEqual(1_000);
  });

  test.each([400, 401, 403, 404, 409, 413, 422, 500, 502])("%i is final", async (status) => {
    await using started = await start(() => refused(status, "X"));
    expect((await errorOf(started.client.call("getOrder", { path: ["1"] }))).status).toBe(status);
    expect(started.service.came.length).toBe(1);
  });

  test("is distinguished from no answer at all, which may have been a write", async () => {
    await using started = await start(() => "cut");
    const write = await errorOf(started.client.call("createOrder", { body: {}, idempotencyKey: "mine" }));
    expect(write).toMatchObject({ kind: "undelivered", status: undefined, mayBeAccepted: true });
    expect(started.service.came.map(({ headers }) => headers["idempotency-key"])).toEqual(Array(4).fill("mine"));
    expect(await errorOf(started.client.call("getOrder", { path: ["1"] }))).toMatchObject({ mayBeAccepted: false });
  });
});

describe("pages", () => {
  const page = (ids: readonly number[], cursor: string | null) => ({
    status: 200,
    body: { data: ids.map((id) => ({ id })), pagination: { next_cursor: cursor } },
  });

  test("follow the cursors, keep the filters and wait for a receipt once", async () => {
    await using started = await start((_came, count) => (count === 1 ? page([1, 2], "c1") : page([3], null)));
    const rows: unknown[] = [];
    const options = { query: { email: "a@x.org", after: "receipt" } };
    for await (const { rows: more } of started.client.pages("listOrders", options)) rows.push(...more);
    expect(rows).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }]);
    const queries = started.service.came.map(({ path }) => Object.fromEntries(new URLSearchParams(path.split("?")[1])));
    expect(queries).toEqual([
      { per_page: "500", email: "a@x.org", after: "receipt" },
      { per_page: "500", email: "a@x.org", cursor: "c1" },
    ]);
  });

  test("end with the rows that were asked for, and when a cursor comes again", async () => {
    await using started = await start(() => page([1, 2], "again"));
    const count = async (rowsMax?: number) => {
      let pages = 0;
      for await (const _ of started.client.pages("listOrders", rowsMax === undefined ? {} : { rowsMax })) pages += 1;
      return pages;
    };
    expect(await count(2)).toBe(1);
    expect(await count()).toBe(2);
    expect(started.service.came[0]?.path).toBe("/v2/orders?per_page=2");
  });
});

describe("waiting", () => {
  test("for a job asks until it is at its end, as often as it is configured to", async () => {
    const job = (status: string) => ({ status: 200, body: { id: "j", status }, headers: { "retry-after": "0.001" } });
    await using started = await start((_came, count) => job(count < 3 ? "Processing" : "Failed"));
    const states: unknown[] = [];
    const ended = await started.client.waitForJob("j", { onProgress: ({ status }) => states.push(status) });
    expect([ended.status, states]).toEqual(["Failed", ["Processing", "Processing", "Failed"]]);
  });

  test("for a receipt lets the service hold the question; both have an end", async () => {
    const pending = { status: 200, body: { id: "j", status: "Pending", state: "pending" } };
    await using started = await start(() => pending);
    const { client, service } = started;
    expect(await errorOf(client.waitForReceipt("token", { timeoutMs: 10 }))).toMatchObject({ kind: "timeout" });
    expect(service.came[0]?.path).toMatch(/^\/v2\/receipts\/token\?wait=0\.1$/);
    expect(await errorOf(client.waitForJob("j", { timeoutMs: 10 }))).toMatchObject({ kind: "timeout" });
  });
});

describe("a dry run", () => {
  test("asks by the query, and returns what the write would do", async () => {
    const body = {
      dryRun: true,
      status: 200,
      answer: {},
      changes: [],
      counts: {},
      starts: 0,
      warnings: [],
      digest: "d",
    };
    await using started = await start(() => ({ status: 200, body }));
    expect(await started.client.dryRun("updateOrder", { path: ["1"], body: { status: "paid" } })).toEqual(body);
    expect(started.service.came[0]?.path).toBe("/v2/orders/1?dryRun=true");
  });

  test("of a service that knows none is an error", async () => {
    await using started = await start(() => order);
    expect(await errorOf(started.client.dryRun("updateOrder", { path: ["1"] }))).toMatchObject({
      code: "UNREADABLE_ANSWER",
    });
  });
});
