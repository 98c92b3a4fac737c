import { inspect } from "node:util";
import { afterEach, describe, expect, test } from "vitest";
import { ClientError } from "./clientError.ts";
import { type Client, createClient } from "./createClient.ts";
import type { ClientOptions } from "./options.ts";
import type { RetryEvent } from "./persist.ts";
import { accepted, refused, startTestApi } from "./testApi.ts";

type Api = Awaited<ReturnType<typeof startTestApi>>;

const apiKey = "hw_a_secret_of_the_tests";
const quick = { minMs: 1, maxMs: 5, giveUpAfterMs: 5_000 };
const apis: Api[] = [];
const clients: Client[] = [];
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close({ deadlineMs: 0 })));
  await Promise.all(apis.splice(0).map((api) => api.stop()));
});

async function start(reply: Parameters<typeof startTestApi>[0], options: Partial<ClientOptions> = {}) {
  const api = await startTestApi(reply);
  const client = createClient({ url: api.url, apiKey, retry: quick, ...options });
  apis.push(api);
  clients.push(client);
  return { api, client };
}

const person = (id: number | string) => ({ identifiers: { customer_id: id } });
const idsOf = (items: readonly unknown[]) => items.map((item) => Object(item).identifiers.customer_id);
const errorOf = (promise: Promise<unknown>): Promise<ClientError> =>
  promise.then(
    () => Promise.reject(new Error("it was accepted")),
    (error: unknown) => (error instanceof ClientError ? error : Promise.reject(error)),
  );
/** A reply that waits until the test says so. */
function held() {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { reply: async () => promise.then(() => accepted()), go: resolve };
}

describe("batches", () => {
  test("gather what is sent together by operation, in the order of the calls, each within its limit", async () => {
    const { api, client } = await start(() => accepted(), { batch: { items: 3 } });
    const sent = [1, 2, 3, 4].map((id) => client.send("upsertContact", person(id)));
    sent.push(client.send("addContactsToList", { identifiers: [{ customer_id: 1 }], listName: "vip" }));
    const answers = await Promise.all(sent);
    expect(answers.map(({ index }) => index)).toEqual([0, 1, 2, 0, 0]);
    const contacts = api.came.filter(({ path }) => path === "/api/upsertContact/batch");
    expect(contacts.map(({ items }) => idsOf(items))).toEqual([[1, 2, 3], [4]]);
    expect(api.came.map(({ path }) => path)).toContain("/api/addContactsToList/batch");
  });

  test("go without lingering when flush is asked for, which ends when all of them are settled", async () => {
    const { api, client } = await start(() => accepted(), { batch: { lingerMs: 60_000 } });
    const sent = client.send("upsertContact", person(1));
    await client.flush();
    expect([api.came.length, client.state().items]).toEqual([1, 0]);
    await sent;
  });

  test("carry an item as it was when it was sent", async () => {
    const { api, client } = await start(() => accepted());
    const mine = { identifiers: { customer_id: 1 } };
    const sent = client.send("upsertContact", mine);
    mine.identifiers.customer_id = 2;
    await sent;
    expect(idsOf(api.came[0]?.items ?? [])).toEqual([1]);
  });

  test("are compressed from a size on, and say so", async () => {
    const { api, client } = await start(() => accepted(), { gzipFromBytes: 200, batch: { items: 1 } });
    await client.send("upsertContact", person(1));
    await client.send("upsertContact", person("x".repeat(300)));
    expect(api.came.map(({ isZipped }) => isZipped)).toEqual([false, true]);
    expect(idsOf(api.came[1]?.items ?? [])).toEqual(["x".repeat(300)]);
  });

  test("of one operation go one after another, so that order is kept, or as many at once as is allowed", async () => {
    for (const [requestsInFlightMax, most] of [
      [undefined, 1],
      [3, 3],
    ] as const) {
      const gate = held();
      const more = requestsInFlightMax === undefined ? {} : { requestsInFlightMax };
      const { api, client } = await start(gate.reply, { batch: { items: 1 }, ...more });
      const sent = [1, 2, 3, 4, 5].map((id) => client.send("upsertContact", person(id)));
      await expect.poll(() => api.came.length).toBe(most);
      expect(client.state().requestsInFlight).toBe(most);
      gate.go();
      await Promise.all(sent);
      expect(api.underWayMost()).toBe(most);
    }
  });

  test("that the API finds too large are sent in halves, in order, each under a key of its own", async () => {
    const { api, client } = await start(({ items }) =>
      items.length > 2 ? refused(413, "PAYLOAD_TOO_LARGE") : accepted(),
    );
    await Promise.all([1, 2, 3, 4, 5].map((id) => client.send("upsertContact", person(id))));
    expect(api.came.map(({ items }) => idsOf(items))).toEqual([[1, 2, 3, 4, 5], [1, 2, 3], [1, 2], [3], [4, 5]]);
    expect(new Set(api.came.map(({ headers }) => headers["idempotency-key"])).size).toBe(5);
  });
});

describe("a request that fails", () => {
  test("is sent again, the same bytes under the same key, until it is answered for good", async () => {
    const events: RetryEvent[] = [];
    const replies = [
      "cut",
      refused(503, "SERVICE_UNAVAILABLE"),
      refused(429, "RATE_LIMITED"),
      refused(409, "IDEMPOTENCY_IN_PROGRESS"),
      { status: 202, body: "not an answer of ours" },
    ] as const;
    const { api, client } = await start((_came, count) => replies[count - 1] ?? accepted(), {
      onRetry: (event) => events.push(event),
    });
    expect(await client.send("upsertContact", person(1))).toMatchObject({ requestId: "r", receipt: "token" });
    expect(api.came.length).toBe(6);
    expect(new Set(api.came.map(({ headers }) => headers["idempotency-key"])).size).toBe(1);
    expect(new Set(api.came.map(({ items }) => JSON.stringify(items))).size).toBe(1);
    expect(events.map(({ attempt, status }) => [attempt, status])).toEqual([
      [1, undefined],
      [2, 503],
      [3, 429],
      [4, 409],
      [5, undefined],
    ]);
    expect(inspect(events)).not.toContain(apiKey);
  });

  test("waits as long as the API asks", async () => {
    const waits: number[] = [];
    const { client } = await start(
      (_came, count) => (count === 1 ? refused(503, "SERVICE_UNAVAILABLE", { "retry-after": "1" }) : accepted()),
      { onRetry: ({ waitMs }) => waits.push(waitMs) },
    );
    await client.send("upsertContact", person(1));
    expect(waits[0]).toBeGreaterThanOrEqual(1_000);
  });

  test("is given up in the end, and the error says whether it may have been accepted", async () => {
    const retry = { minMs: 1, maxMs: 2, giveUpAfterMs: 20 };
    const limited = await start(() => refused(429, "RATE_LIMITED"), { retry });
    expect(await errorOf(limited.client.send("upsertContact", person(1)))).toMatchObject({
      kind: "undelivered",
      status: 429,
      mayBeAccepted: false,
    });
    const silent = await start(() => "cut", { retry });
    expect(await errorOf(silent.client.send("upsertContact", person(1)))).toMatchObject({
      kind: "undelivered",
      mayBeAccepted: true,
    });
    expect(silent.client.state()).toEqual({ items: 0, bytes: 0, waiting: 0, requestsInFlight: 0 });
  });

  test("without an answer in time is sent again", async () => {
    const gate = held();
    const { api, client } = await start((_came, count) => (count === 1 ? gate.reply() : accepted()), {
      requestTimeoutMs: 50,
    });
    await client.send("upsertContact", person(1));
    expect(api.came.length).toBe(2);
    gate.go();
  });

  test("for its key is not sent again, nor anywhere else", async () => {
    const { api, client } = await start((_came, count) =>
      count === 1
        ? refused(401, "AUTHENTICATION_FAILED")
        : { status: 307, headers: { location: "http://127.0.0.1:1/" } },
    );
    expect(await errorOf(client.send("upsertContact", person(1)))).toMatchObject({
      kind: "refused",
      code: "AUTHENTICATION_FAILED",
      status: 401,
      requestId: "r",
    });
    expect(await errorOf(client.send("upsertContact", person(1)))).toMatchObject({ kind: "refused", status: 307 });
    expect(api.came.length).toBe(2);
  });
});

describe("each item's promise", () => {
  test("tells the item's own verdict", async () => {
    const bad = {
      index: 1,
      status: "rejected",
      code: "VALIDATION_ERROR",
      message: "No.",
      path: "/identifiers",
      details: [],
    };
    const { client } = await start(() => accepted([bad]));
    const [first, second, third] = [1, 2, 3].map((id) => client.send("upsertContact", person(id)));
    expect(await first).toMatchObject({ index: 0 });
    expect(await errorOf(second ?? Promise.resolve())).toMatchObject({
      kind: "rejected",
      code: "VALIDATION_ERROR",
      message: "No.",
      path: "/identifiers",
      status: 202,
      mayBeAccepted: false,
    });
    expect(await third).toMatchObject({ index: 2 });
  });

  test("tells its warnings", async () => {
    const warning = { index: 1, path: "/atributes", code: "unknown_member", message: "?", suggestion: "attributes" };
    const { client } = await start(() => ({
      status: 202,
      body: { requestId: "r", receipt: "t", warnings: [warning] },
    }));
    const [first, second] = await Promise.all([1, 2].map((id) => client.send("upsertContact", person(id))));
    const { index: _, ...told } = warning;
    expect([first?.warnings, second?.warnings]).toEqual([[], [told]]);
  });

  test("refuses an item beyond the API's bound without sending it", async () => {
    const { api, client } = await start(() => accepted());
    expect(await errorOf(client.send("upsertContact", person("x".repeat(256 * 1024))))).toMatchObject({
      kind: "rejected",
      code: "PAYLOAD_TOO_LARGE",
    });
    expect([api.came.length, client.state().items]).toEqual([0, 0]);
  });

  test("shows neither the key nor the item in an error", async () => {
    const { client } = await start(() => "cut", { retry: { minMs: 1, maxMs: 1, giveUpAfterMs: 1 } });
    const error = await errorOf(client.send("upsertContact", person("a secret customer")));
    const shown = inspect([error, client], { depth: 10, showHidden: true });
    expect(shown).not.toContain(apiKey);
    expect(shown).not.toContain("secret customer");
  });
});

describe("a full buffer", () => {
  test("lets send wait, refuses trySend, and takes both again when there is room", async () => {
    const gate = held();
    const { api, client } = await start(gate.reply, { buffer: { items: 2 }, batch: { items: 1 } });
    const sent = [1, 2].map((id) => client.send("upsertContact", person(id)));
    const third = client.send("upsertContact", person(3));
    const room = client.room();
    expect([client.trySend("upsertContact", person(4)), client.state()]).toEqual([
      undefined,
      expect.objectContaining({ items: 2, waiting: 2 }),
    ]);
    gate.go();
    await Promise.all([...sent, third, room]);
    const fourth = client.trySend("upsertContact", person(4));
    expect(await fourth?.verdict).toMatchObject({ receipt: "token" });
    expect(api.came.flatMap(({ items }) => idsOf(items))).toEqual([1, 2, 3, 4]);
  });

  test("lets no more calls wait than may", async () => {
    const gate = held();
    const { client } = await start(gate.reply, { buffer: { items: 1, waiting: 1 } });
    const sent = [client.send("upsertContact", person(1)), client.send("upsertContact", person(2))];
    expect(await errorOf(client.send("upsertContact", person(3)))).toMatchObject({ kind: "full" });
    gate.go();
    await Promise.all(sent);
  });
});

describe("a signal", () => {
  test("takes out what is in no request yet, and ends the wait for what is", async () => {
    const gate = held();
    const { api, client } = await start(gate.reply, { batch: { items: 1 } });
    const stop = new AbortController();
    const underWay = client.send("upsertContact", person(1), { signal: stop.signal });
    const waiting = client.send("upsertContact", person(2), { signal: stop.signal });
    const other = client.send("upsertContact", person(3));
    await expect.poll(() => api.came.length).toBe(1);
    stop.abort(new Error("no more"));
    await expect(underWay).rejects.toThrow("no more");
    await expect(waiting).rejects.toThrow("no more");
    await expect(client.send("upsertContact", person(4), { signal: stop.signal })).rejects.toThrow("no more");
    expect(client.state().items).toBe(2);
    gate.go();
    await other;
    expect(api.came.flatMap(({ items }) => idsOf(items))).toEqual([1, 3]);
    expect(client.state().items).toBe(0);
  });
});

describe("close", () => {
  test("sends what is held, refuses what comes later, and says that nothing was left", async () => {
    const { api, client } = await start(() => accepted(), { batch: { lingerMs: 60_000 } });
    const sent = [1, 2].map((id) => client.send("upsertContact", person(id)));
    const closing = client.close();
    expect(await errorOf(client.send("upsertContact", person(3)))).toMatchObject({ kind: "closed" });
    expect(() => client.trySend("upsertContact", person(3))).toThrow(expect.objectContaining({ kind: "closed" }));
    await expect(client.room()).rejects.toMatchObject({ kind: "closed" });
    expect(await closing).toEqual({ undelivered: 0 });
    await Promise.all(sent);
    expect(idsOf(api.came.flatMap(({ items }) => items))).toEqual([1, 2]);
    expect(await client.close()).toEqual({ undelivered: 0 });
  });

  test("rejects at the deadline what is not settled, and tells what may have been accepted", async () => {
    const gate = held();
    const { api, client } = await start(gate.reply, { batch: { items: 1 }, buffer: { items: 2 } });
    const errors = [1, 2, 3].map((id) => errorOf(client.send("upsertContact", person(id))));
    await expect.poll(() => api.came.length).toBe(1);
    expect(await client.close({ deadlineMs: 10 })).toEqual({ undelivered: 2 });
    expect((await Promise.all(errors)).map(({ kind, mayBeAccepted }) => [kind, mayBeAccepted])).toEqual([
      ["undelivered", true],
      ["undelivered", false],
      ["closed", false],
    ]);
    gate.go();
  });

  test("ends a wait for another attempt", async () => {
    const waits: number[] = [];
    const { client } = await start(() => refused(503, "SERVICE_UNAVAILABLE", { "retry-after": "50" }), {
      retry: { giveUpAfterMs: 300_000 },
      onRetry: ({ waitMs }) => waits.push(waitMs),
    });
    const error = errorOf(client.send("upsertContact", person(1)));
    await expect.poll(() => waits.length).toBe(1);
    expect(await client.close({ deadlineMs: 10 })).toEqual({ undelivered: 1 });
    expect(await error).toMatchObject({ kind: "undelivered", status: 503, mayBeAccepted: true });
  });
});

describe("a receipt", () => {
  const pending = {
    state: "pending",
    records: { applied: 0, pending: 1 },
    skips: {},
    warnings: {},
    rejections: [],
    next: null,
  };
  const done = {
    ...pending,
    state: "applied",
    records: { applied: 1, skipped: 0, rejected: 0, parked: 0, pending: 0 },
  };

  test("is asked for with the key as Basic user name, and followed to its end through failures", async () => {
    const replies = [
      { status: 200, body: pending },
      refused(503, "SERVICE_UNAVAILABLE"),
      "cut",
      { status: 200, body: done },
    ] as const;
    const { api, client } = await start((_came, count) => replies[count - 1] ?? "cut");
    expect(await client.waitFor("a/b")).toMatchObject({ state: "applied", records: { applied: 1 }, next: undefined });
    const [first] = api.came;
    expect(first?.path).toMatch(/^\/v2\/receipts\/a%2Fb\?wait=20$/);
    expect(first?.headers.authorization).toBe(`Basic ${btoa(`${apiKey}:`)}`);
    expect(first?.headers["x-api-key"]).toBeUndefined();
  });

  test("that is not at its end in time is a timeout, one that nobody knows is refused, a signal ends the wait", async () => {
    const { client } = await start(({ path }) =>
      path.includes("unknown") ? refused(404, "RECORD_NOT_FOUND") : { status: 200, body: pending },
    );
    expect(await errorOf(client.waitFor("t", { timeoutMs: 5 }))).toMatchObject({
      kind: "timeout",
      code: "NOT_YET_APPLIED",
    });
    expect(await errorOf(client.receipt("unknown"))).toMatchObject({ kind: "refused", code: "RECORD_NOT_FOUND" });
    const stop = new AbortController();
    const waiting = expect(client.waitFor("t", { signal: stop.signal })).rejects.toThrow("stop");
    stop.abort(new Error("stop"));
    await waiting;
  });
});
