import { inspect } from "node:util";
import { accepted, refused } from "@headwater/testing";
import { afterEach, describe, expect, test } from "vitest";
import type { RetryEvent } from "./persist.ts";
import { apiKey, createTestClients, errorOf, held, person } from "./testClient.ts";

const clients = createTestClients();
const { start } = clients;
afterEach(() => clients.stop());

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
    // A busy machine may be late with the second answer, too.
    expect(api.came.length).toBeGreaterThan(1);
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
      requestId: "r-1",
    });
    expect(await errorOf(client.send("upsertContact", person(1)))).toMatchObject({ kind: "refused", status: 307 });
    expect(api.came.length).toBe(2);
  });
});
