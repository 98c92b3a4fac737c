import { afterEach, expect, test } from "vitest";
import { addAccount, type Ingress, post, receiptOf, startIngress } from "./ingressFixture.ts";

const running: Ingress[] = [];
afterEach(async () => {
  for (const ingress of running.splice(0)) await ingress.stop();
});

async function start(producer: Parameters<typeof startIngress>[1] = {}): Promise<Ingress> {
  const ingress = await startIngress({}, producer);
  running.push(ingress);
  return ingress;
}

const body = { identifiers: { email: "a@example.com" }, attributes: { n: 1 }, canBeCreated: true };
const path = "/api/upsertContact";
/** Bytes counted for a frame next to its records, of which it holds many. */
const FRAME_BYTES = 96;
const WAIT = { timeout: 30_000 };

test("every call gets 503 and Retry-After while Kafka is away, none gets a 2xx, and calls succeed when Kafka is back", async () => {
  const ingress = await start();
  const { key } = await addAccount(ingress.database);
  const send = () => post(ingress.url, { path, key, body });
  expect((await send()).status).toBe(202);
  ingress.kafkaProxy.setMode("refuse");
  expect((await send()).status).toBe(503);
  await expect.poll(() => ingress.producer.state().link, WAIT).toBe("away");
  expect(await send()).toMatchObject({ status: 503, body: { code: "SERVICE_UNAVAILABLE" } });
  ingress.kafkaProxy.setMode("forward");
  await expect.poll(async () => (await send()).status, WAIT).toBe(202);
});

test("an answer of Kafka that is lost is a 503, and what a 202 said before and after is in the log", async () => {
  const ingress = await start();
  const { key } = await addAccount(ingress.database);
  const send = () => post(ingress.url, { path, key, body });
  const before = await send();
  ingress.kafkaProxy.setMode("swallowAnswers");
  const lost = await send();
  expect(lost.status).toBe(503);
  expect(ingress.kafkaProxy.swallowedBytes()).toBeGreaterThan(0);
  ingress.kafkaProxy.setMode("forward");
  await expect.poll(async () => (await send()).status, WAIT).toBe(202);
  for (const answer of [before, await send()]) {
    expect(await ingress.recordsOf(receiptOf(answer).requestId, 1)).toHaveLength(1);
  }
});

test("known keys work while Postgres is away, unknown ones and Idempotency-Keys get 503, and all is well when it is back", async () => {
  const ingress = await start();
  const known = await addAccount(ingress.database);
  const unknown = await addAccount(ingress.database);
  const send = (key: string, headers: Record<string, string> = {}) => post(ingress.url, { path, key, body, headers });
  expect((await send(known.key)).status).toBe(202);
  ingress.postgresProxy.setMode("refuse");
  const untilMs = performance.now() + 3_000;
  while (performance.now() < untilMs) expect((await send(known.key)).status).toBe(202);
  expect(await send(unknown.key)).toMatchObject({ status: 503, body: { code: "SERVICE_UNAVAILABLE" } });
  expect(await send(known.key, { "idempotency-key": "k" })).toMatchObject({ status: 503 });
  ingress.postgresProxy.setMode("forward");
  await expect.poll(async () => (await send(unknown.key)).status, WAIT).toBe(202);
  await expect.poll(async () => (await send(known.key, { "idempotency-key": "k" })).status, WAIT).toBe(202);
});

test("known keys work without waiting for a Postgres that holds connections open and never answers", async () => {
  const ingress = await start();
  const { key } = await addAccount(ingress.database);
  const send = () => post(ingress.url, { path, key, body });
  expect((await send()).status).toBe(202);
  ingress.postgresProxy.setMode("silent");
  const untilMs = performance.now() + 4_000;
  while (performance.now() < untilMs) expect((await send()).status).toBe(202);
  ingress.postgresProxy.setMode("forward");
});

test("a full buffer is a 503 at once, never memory without bound, and what was taken before it is written", async () => {
  const ingress = await start({ bytesInFlightMax: 2_000 });
  const { key } = await addAccount(ingress.database);
  ingress.kafkaProxy.setDelay(300);
  const answers = await Promise.all(Array.from({ length: 40 }, () => post(ingress.url, { path, key, body })));
  const taken = answers.filter(({ status }) => status === 202);
  expect(answers.filter(({ status }) => status === 503).length + taken.length).toBe(40);
  expect([taken.length > 0, taken.length < 40]).toEqual([true, true]);
  for (const answer of taken) expect(await ingress.recordsOf(answer.body.requestId, 1)).toHaveLength(1);
  ingress.kafkaProxy.setDelay(0);
});

test("a stop answers all that runs with 202, and every record is in the log", async () => {
  const ingress = await start({ requestTimeoutMs: 30_000 });
  const { key } = await addAccount(ingress.database);
  // Records so long that frames count for less than one of them, however many are made.
  const long = { ...body, attributes: { text: "x".repeat(8_000) } };
  const send = () => post(ingress.url, { path, key, body: long });
  await send();
  ingress.kafkaProxy.setDelay(6_000);
  const queuedBytes = () => ingress.producer.state().queuedBytes;
  const first = send();
  await expect.poll(queuedBytes).toBeGreaterThan(0);
  const oneBytes = queuedBytes();
  const answers = Promise.all([first, ...Array.from({ length: 39 }, send)]);
  // Every request has come in: one that is on its way to a closing server is refused, and was never taken.
  await expect.poll(queuedBytes).toBeGreaterThanOrEqual(40 * (oneBytes - FRAME_BYTES));
  ingress.kafkaProxy.setDelay(50);
  await ingress.server.stop({ timeoutMs: 25_000 });
  for (const answer of await answers) {
    expect(answer.status).toBe(202);
    expect(await ingress.recordsOf(answer.body.requestId, 1)).toHaveLength(1);
  }
});
