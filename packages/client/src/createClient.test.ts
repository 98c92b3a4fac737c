import { inspect } from "node:util";
import { accepted, refused } from "@headwater/testing";
import { afterEach, describe, expect, test } from "vitest";
import { apiKey, createTestClients, errorOf, held, idsOf, person } from "./testClient.ts";

const clients = createTestClients();
const { start } = clients;
afterEach(() => clients.stop());

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

  test("batches that the API finds too large are sent in halves, in order, each under a key of its own", async () => {
    const { api, client } = await start(({ items }) =>
      items.length > 2 ? refused(413, "PAYLOAD_TOO_LARGE") : accepted(),
    );
    await Promise.all([1, 2, 3, 4, 5].map((id) => client.send("upsertContact", person(id))));
    expect(api.came.map(({ items }) => idsOf(items))).toEqual([[1, 2, 3, 4, 5], [1, 2, 3], [1, 2], [3], [4, 5]]);
    expect(new Set(api.came.map(({ headers }) => headers["idempotency-key"])).size).toBe(5);
  });
});

describe("each item's promise", () => {
  test("returns the item's own verdict", async () => {
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
    expect(await errorOf(second)).toMatchObject({
      kind: "rejected",
      code: "VALIDATION_ERROR",
      message: "No.",
      path: "/identifiers",
      status: 202,
      mayBeAccepted: false,
    });
    expect(await third).toMatchObject({ index: 2 });
  });

  test("returns its warnings", async () => {
    const warning = { index: 1, path: "/atributes", code: "unknown_member", message: "?", suggestion: "attributes" };
    const { client } = await start(() => ({
      status: 202,
      body: { requestId: "r", receipt: "t", warnings: [warning] },
    }));
    const [first, second] = await Promise.all([1, 2].map((id) => client.send("upsertContact", person(id))));
    const { index: _, ...rest } = warning;
    expect([first?.warnings, second?.warnings]).toEqual([[], [rest]]);
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
    const view = inspect([error, client], { depth: 10, showHidden: true });
    expect(view).not.toContain(apiKey);
    expect(view).not.toContain("secret customer");
  });
});

describe("a full buffer", () => {
  test("lets send wait, refuses trySend, and takes both again when there is room", async () => {
    const gate = held();
    const { api, client } = await start(gate.reply, { buffer: { items: 2 }, batch: { items: 1 } });
    const sent = [1, 2].map((id) => client.send("upsertContact", person(id)));
    const third = client.send("upsertContact", person(3));
    const capacity = client.room();
    expect([client.trySend("upsertContact", person(4)), client.state()]).toEqual([
      undefined,
      expect.objectContaining({ items: 2, waiting: 2 }),
    ]);
    gate.go();
    await Promise.all([...sent, third, capacity]);
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
