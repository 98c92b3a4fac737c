import { accepted, refused } from "@headwater/testing";
import { afterEach, describe, expect, test } from "vitest";
import { createTestClients, errorOf, held, idsOf, person } from "./testClient.ts";

const clients = createTestClients();
const { start } = clients;
afterEach(() => clients.stop());

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

  test("rejects at the deadline what is not settled, and names what may have been accepted", async () => {
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
