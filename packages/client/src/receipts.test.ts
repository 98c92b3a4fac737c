import { refused } from "@headwater/testing";
import { afterEach, describe, expect, test } from "vitest";
import { apiKey, createTestClients, errorOf } from "./testClient.ts";

const clients = createTestClients();
const { start } = clients;
afterEach(() => clients.stop());

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

  test("a receipt that is not at its end in time is a timeout, an unknown one is refused, and a signal ends the wait", async () => {
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
