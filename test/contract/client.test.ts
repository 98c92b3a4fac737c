import {
  type Accepted,
  type Client,
  ClientError,
  type ClientOptions,
  createClient,
  type RetryEvent,
} from "@headwater/client";
import { defaultSettings } from "@headwater/contracts";
import { operations } from "@headwater/operations";
import { createTcpProxy, type TcpProxy } from "@headwater/testing";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type Ingress, makeAccount, startIngress, type TestAccount } from "./ingressFixture.ts";
import { type Running, startService } from "./service/running.ts";
import { movesOn, receiptsOf } from "./service/streams.ts";

const WAIT = { timeout: 30_000 };
const clients: Client[] = [];
let ingress: Ingress;
let caller: TestAccount;
/** Between the client and the ingress. */
let way: TcpProxy;

beforeAll(async () => {
  ingress = await startIngress();
  caller = await makeAccount(ingress.database);
  way = await createTcpProxy({ host: "127.0.0.1", port: ingress.port });
});
afterEach(async () => {
  for (const proxy of [way, ingress.kafkaProxy, ingress.postgresProxy]) {
    proxy.setMode("forward");
    proxy.setDelay(0);
  }
  await Promise.all(clients.splice(0).map((client) => client.close({ deadlineMs: 0 })));
});
afterAll(async () => {
  await way.close();
  await ingress.stop();
});

function start(options: Partial<ClientOptions> = {}) {
  const retries: RetryEvent[] = [];
  const client = createClient({
    url: `http://127.0.0.1:${way.port}`,
    apiKey: caller.key,
    onRetry: (event) => retries.push(event),
    ...options,
  });
  clients.push(client);
  return { client, retries };
}

let names = 0;
const newName = () => `client-${++names}`;
const person = (email: string, attributes: object = { n: 1 }) => ({
  identifiers: { email },
  attributes: { ...attributes },
  canBeCreated: true,
});
const recordsWith = (text: string) => ingress.records.filter((record) => JSON.stringify(record).includes(text));
/** Of the first record that an accepted item became. */
const idOf = ({ requestId, index }: Accepted) => `${requestId}:${index}:0`;
const idsWith = (text: string) => new Set(recordsWith(text).map(({ id }) => id));

describe("a client", () => {
  test("delivers the sample of every operation", async () => {
    const { client } = start();
    const sent = await Promise.all(samples(client));
    expect([sent.length, new Set(sent.map(({ requestId }) => requestId)).size]).toEqual([8, operations.length]);
    for (const { requestId, receipt, warnings } of sent) {
      expect([typeof receipt, warnings]).toEqual(["string", []]);
      await expect.poll(() => ingress.records.some(({ id }) => id.startsWith(`${requestId}:0:`)), WAIT).toBe(true);
    }
  });

  test("gathers what is sent together: many items, few requests, and the log holds them in their order", async () => {
    const { client } = start();
    const name = newName();
    const sent = await Promise.all(
      Array.from({ length: 2_500 }, (_, n) => client.send("upsertContact", person(`${name}@example.com`, { n }))),
    );
    expect(new Set(sent.map(({ requestId }) => requestId)).size).toBeLessThan(10);
    await expect.poll(() => recordsWith(name).length, WAIT).toBe(2_500);
    expect(recordsWith(name).map((record) => Object(record.contact).attributes.n)).toEqual(
      Array.from({ length: 2_500 }, (_, n) => n),
    );
  });

  test("tells each item's verdict: a bad one costs its neighbours nothing", async () => {
    const { client } = start();
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
    await expect.poll(() => recordsWith(name).length, WAIT).toBe(2);
  });

  test("tells the verdict of items that are all bad, and of a member that nobody knows", async () => {
    const { client } = start();
    const bad = { identifiers: { email: " " } };
    const settled = await Promise.allSettled([1, 2].map(() => client.send("upsertContact", bad)));
    for (const one of settled) {
      expect(errorOf(one)).toMatchObject({ kind: "rejected", status: 422, path: "/identifiers/email" });
    }
    const misspelt = { ...person(`${newName()}@example.com`), atributes: {} };
    const { warnings } = await client.send("upsertContact", misspelt);
    expect(warnings).toMatchObject([{ path: "/atributes", code: "unknown_member", suggestion: "attributes" }]);
  });

  test("sends a batch of more records than the API takes at once in parts", async () => {
    const { client } = start({ batch: { bytes: 9 * 1024 * 1024, lingerMs: 50 } });
    const name = newName();
    const events = Array.from({ length: 100 }, (_, n) => ({ name: "visit", time: NOW, UID: `${name}-${n}` }));
    const items = Array.from({ length: 101 }, (_, n) => ({
      contact: { identifiers: { email: `${name}-${n}@example.com` } },
      contactactivities: events,
    }));
    const sent = await Promise.all(items.map((item) => client.send("createContactactivities", item)));
    expect(new Set(sent.map(({ requestId }) => requestId)).size).toBe(2);
    await expect.poll(() => recordsWith(`${name}-`).length, WAIT).toBe(10_100);
  });

  test("with a wrong key is refused at once", async () => {
    const { client, retries } = start({ apiKey: "hw_nobody" });
    const [settled] = await Promise.allSettled([client.send("upsertContact", person("a@example.com"))]);
    expect(errorOf(settled)).toMatchObject({ kind: "refused", status: 401, code: "AUTHENTICATION_FAILED" });
    expect(retries).toEqual([]);
  });

  test("that sends more than it may goes on at the rate that is allowed", async () => {
    const limits = { ...defaultSettings.limits, intakePerSecond: 2 };
    const slow = await makeAccount(ingress.database, { settings: { limits } });
    const { client, retries } = start({ apiKey: slow.key, batch: { items: 1 }, requestsInFlightMax: 4 });
    const name = newName();
    await Promise.all([1, 2, 3, 4, 5].map((n) => client.send("upsertContact", person(`${name}-${n}@example.com`))));
    expect(retries.map(({ status }) => status)).toContain(429);
    await expect.poll(() => recordsWith(`${name}-`).length, WAIT).toBe(5);
  });
});

describe("nothing is doubled and nothing is lost", () => {
  test("when the answer is lost on its way: the same request is asked for its answer", async () => {
    const { client, retries } = start();
    const name = newName();
    way.setMode("swallowAnswers");
    const sent = [1, 2, 3].map((n) => client.send("upsertContact", person(`${name}-${n}@example.com`)));
    await expect.poll(() => recordsWith(name).length, WAIT).toBe(3);
    await expect.poll(() => way.swallowedBytes(), WAIT).toBeGreaterThan(0);
    way.setMode("forward");
    const [first] = await Promise.all(sent);
    expect(retries.map(({ status }) => status)).toEqual([undefined]);
    const marker = await client.send("upsertContact", person(`${newName()}@example.com`));
    await ingress.recordsOf(marker.requestId, 1);
    const ids = recordsWith(name).map(({ id }) => id);
    expect(ids.toSorted()).toEqual([0, 1, 2].map((index) => `${first?.requestId}:${index}:0`));
  });

  test("when connections are cut again and again while much is sent", async () => {
    const { client } = start({ batch: { items: 20 }, requestsInFlightMax: 4, retry: { minMs: 5, maxMs: 50 } });
    const name = newName();
    const count = 2_000;
    let settled = 0;
    const sent = Array.from({ length: count }, (_, n) =>
      client.send("upsertContact", person(`${name}-${n}@example.com`)).finally(() => {
        settled += 1;
        if (settled % 100 === 0) way.cut();
      }),
    );
    const answers = await Promise.all(sent);
    const ids = answers.map(idOf);
    expect(new Set(ids).size).toBe(count);
    await expect.poll(() => recordsWith(`${name}-`).length, WAIT).toBeGreaterThanOrEqual(count);
    // A record may be written twice, under the same id: it is applied once.
    expect(idsWith(`${name}-`)).toEqual(new Set(ids));
  });

  test("while Kafka is away: it waits, and delivers when Kafka is back", async () => {
    const { client, retries } = start({ retry: { maxMs: 500 } });
    const name = newName();
    ingress.kafkaProxy.setMode("refuse");
    const sent = client.send("upsertContact", person(`${name}@example.com`));
    await expect.poll(() => retries.filter(({ status }) => status === 503).length, WAIT).toBeGreaterThan(1);
    ingress.kafkaProxy.setMode("forward");
    const id = await sent.then(idOf);
    await expect.poll(() => recordsWith(name).length, WAIT).toBeGreaterThan(0);
    expect(idsWith(name)).toEqual(new Set([id]));
  });

  test("while Postgres is away, which keeps the Idempotency-Keys", async () => {
    const { client, retries } = start({ retry: { maxMs: 500 } });
    const name = newName();
    ingress.postgresProxy.setMode("refuse");
    const sent = client.send("upsertContact", person(`${name}@example.com`));
    await expect.poll(() => retries.filter(({ status }) => status === 503).length, WAIT).toBeGreaterThan(1);
    ingress.postgresProxy.setMode("forward");
    const id = await sent.then(idOf);
    await expect.poll(() => idsWith(name), WAIT).toEqual(new Set([id]));
  });

  test("when the time is up: what was not answered is told as such, and what may have been accepted", async () => {
    const { client, retries } = start();
    way.setMode("silent");
    const sent = Promise.allSettled([client.send("upsertContact", person(`${newName()}@example.com`))]);
    await expect.poll(() => client.state().requestsInFlight, WAIT).toBe(1);
    expect(await client.close({ deadlineMs: 50 })).toEqual({ undelivered: 1 });
    expect(errorOf((await sent)[0])).toMatchObject({ kind: "undelivered", mayBeAccepted: true });
    expect(retries).toEqual([]);
  });
});

test("a full buffer holds the producer back, and all of it arrives in order", async () => {
  const { client } = start({ buffer: { items: 50, waiting: 1 } });
  const name = newName();
  ingress.kafkaProxy.setDelay(30);
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
  await expect.poll(() => recordsWith(name).length, WAIT).toBeGreaterThanOrEqual(400);
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
    const { client } = start({ serviceUrl, apiKey });
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

function errorOf(settled: PromiseSettledResult<unknown> | undefined): unknown {
  if (settled?.status !== "rejected") return settled;
  expect(settled.reason).toBeInstanceOf(ClientError);
  return settled.reason;
}
