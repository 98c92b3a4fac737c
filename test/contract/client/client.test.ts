import type { Client } from "@headwater/client";
import { defaultSettings } from "@headwater/contracts";
import { operations } from "@headwater/intake/operations/registry";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { addAccount } from "../intake/ingress/ingressFixture.ts";
import { type Running, startService } from "../service/running.ts";
import { movesOn, receiptsOf } from "../service/streams.ts";
import { errorOf, person, startWay, type Way } from "./way.ts";

const WAIT = { timeout: 30_000 };
let way: Way;
beforeAll(async () => {
  way = await startWay();
});
afterEach(() => way.mend());
afterAll(() => way.stop());

let names = 0;
const newName = () => `client-${++names}`;

describe("a client", () => {
  test("delivers the sample of every operation", async () => {
    const { client } = way.client();
    const sent = await Promise.all(samples(client));
    expect([sent.length, new Set(sent.map(({ requestId }) => requestId)).size]).toEqual([8, operations.length]);
    for (const { requestId, receipt, warnings } of sent) {
      expect([typeof receipt, warnings]).toEqual(["string", []]);
      await expect.poll(() => way.ingress.records.some(({ id }) => id.startsWith(`${requestId}:0:`)), WAIT).toBe(true);
    }
  });

  test("gathers what is sent together: many items, few requests, and the log holds them in their order", async () => {
    const { client } = way.client();
    const name = newName();
    const sent = await Promise.all(
      Array.from({ length: 2_500 }, (_, n) => client.send("upsertContact", person(`${name}@example.com`, { n }))),
    );
    expect(new Set(sent.map(({ requestId }) => requestId)).size).toBeLessThan(10);
    await expect.poll(() => way.recordsWith(name).length, WAIT).toBe(2_500);
    expect(way.recordsWith(name).map((record) => Object(record.contact).attributes.n)).toEqual(
      Array.from({ length: 2_500 }, (_, n) => n),
    );
  });

  test("returns each item's verdict: a bad one costs its neighbours nothing", async () => {
    const { client } = way.client();
    const name = newName();
    const [good, bad, other] = await Promise.allSettled([
      client.send("createContactactivities", visit(`${name}-1`)),
      client.send("createContactactivities", {
        ...visit(`${name}-2`),
        contactactivities: [{ name: "open", time: NOW }],
      }),
      client.send("createContactactivities", visit(`${name}-3`)),
    ]);
    expect([good, other]).toMatchObject([
      { status: "fulfilled", value: { index: 0 } },
      { status: "fulfilled", value: { index: 2 } },
    ]);
    expect(errorOf(bad)).toMatchObject({
      kind: "rejected",
      code: "RESERVED_ACTION",
      path: "/contactactivities/0/name",
    });
    await expect.poll(() => way.recordsWith(name).length, WAIT).toBe(2);
  });

  test("returns the verdict of items that are all bad, and of a member that nobody knows", async () => {
    const { client } = way.client();
    const bad = { identifiers: { email: " " } };
    const resolved = await Promise.allSettled([1, 2].map(() => client.send("upsertContact", bad)));
    for (const one of resolved) {
      expect(errorOf(one)).toMatchObject({ kind: "rejected", status: 422, path: "/identifiers/email" });
    }
    const misspelt = { ...person(`${newName()}@example.com`), atributes: {} };
    const { warnings } = await client.send("upsertContact", misspelt);
    expect(warnings).toMatchObject([{ path: "/atributes", code: "unknown_member", suggestion: "attributes" }]);
  });

  test("sends a batch of more records than the API takes at once in parts", async () => {
    const { client } = way.client({ batch: { bytes: 9 * 1024 * 1024, lingerMs: 50 } });
    const name = newName();
    const events = Array.from({ length: 100 }, (_, n) => ({ name: "visit", time: NOW, UID: `${name}-${n}` }));
    const items = Array.from({ length: 101 }, (_, n) => ({
      contact: { identifiers: { email: `${name}-${n}@example.com` } },
      contactactivities: events,
    }));
    const sent = await Promise.all(items.map((item) => client.send("createContactactivities", item)));
    expect(new Set(sent.map(({ requestId }) => requestId)).size).toBe(2);
    await expect.poll(() => way.recordsWith(`${name}-`).length, WAIT).toBe(10_100);
  });

  test("with a wrong key is refused at once", async () => {
    const { client, retries } = way.client({ apiKey: "hw_nobody" });
    const [completed] = await Promise.allSettled([client.send("upsertContact", person("a@example.com"))]);
    expect(errorOf(completed)).toMatchObject({ kind: "refused", status: 401, code: "AUTHENTICATION_FAILED" });
    expect(retries).toEqual([]);
  });

  test("a client that sends more than it may goes on at the rate that is allowed", async () => {
    const limits = { ...defaultSettings.limits, intakePerSecond: 2 };
    const slow = await addAccount(way.ingress.database, { settings: { limits } });
    const { client, retries } = way.client({ apiKey: slow.key, batch: { items: 1 }, requestsInFlightMax: 4 });
    const name = newName();
    await Promise.all([1, 2, 3, 4, 5].map((n) => client.send("upsertContact", person(`${name}-${n}@example.com`))));
    expect(retries.map(({ status }) => status)).toContain(429);
    await expect.poll(() => way.recordsWith(`${name}-`).length, WAIT).toBe(5);
  });
});

test("a full buffer holds the producer back, and all of it arrives in order", async () => {
  const { client } = way.client({ buffer: { items: 50, waiting: 1 } });
  const name = newName();
  way.ingress.kafkaProxy.setDelay(30);
  const sent: Promise<unknown>[] = [];
  let most = 0;
  for (let n = 0; n < 400; n++) {
    await client.room();
    sent.push(client.send("upsertContact", person(`${name}@example.com`, { n })));
    most = Math.max(most, client.state().items);
  }
  expect(client.trySend("upsertContact", person(`${name}@example.com`)) === undefined || most < 50).toBe(true);
  await Promise.all(sent);
  expect(most).toBe(50);
  await expect.poll(() => way.recordsWith(name).length, WAIT).toBeGreaterThanOrEqual(400);
});

describe("a receipt", () => {
  let service: Running;
  let mine: Awaited<ReturnType<Running["account"]>>;
  let serviceUrl: string;
  beforeAll(async () => {
    service = await startService();
    mine = await service.account();
    serviceUrl = await service.listen();
  });
  afterAll(() => service.stop());

  test("is followed to its end by a key of intake alone, and one that nobody knows is refused", async () => {
    const apiKey = await service.key(mine.account, { scopes: ["intake"] });
    const { client } = way.client({ serviceUrl, apiKey });
    const { token } = receiptsOf(() => mine.account)(1, 5, 3);
    expect(await client.receipt(token)).toMatchObject({ state: "pending", records: { pending: 3 }, next: undefined });
    const waiting = client.waitFor(token);
    await movesOn(() => service.postgres)("state", 1, 6);
    expect(await waiting).toEqual({
      state: "applied",
      records: { applied: 3, skipped: 0, rejected: 0, parked: 0, pending: 0 },
      skips: {},
      warnings: {},
      rejections: [],
      next: undefined,
    });
    const { token: late } = receiptsOf(() => mine.account)(1, 90, 1);
    await expect(client.waitFor(late, { timeoutMs: 200 })).rejects.toMatchObject({ kind: "timeout" });
    await expect(client.receipt("nonsense")).rejects.toMatchObject({ kind: "refused", code: "RECORD_NOT_FOUND" });
  });
});

const NOW = new Date().toISOString();

const [contact, activities, add, remove, fill, take, supplements, order] = operations;

function samples(client: Client) {
  return [
    client.send("upsertContact", contact.sample),
    client.send("createContactactivities", activities.sample),
    client.send("addContactsToList", add.sample),
    client.send("removeContactsFromList", remove.sample),
    client.send("addProductsToCart", fill.sample),
    client.send("removeProductsFromCart", take.sample),
    client.send("upsertSupplementsRecords", supplements.sample),
    client.send("upsertOrder", order.sample),
  ];
}

function visit(uid: string) {
  return {
    contact: { identifiers: { email: "visitor@example.com" } },
    contactactivities: [{ name: "visit", time: NOW, UID: uid }],
  };
}
