import { once } from "node:events";
import { connect } from "node:net";
import { createKeyCache } from "@headwater/http";
import { createLeaseStore } from "@headwater/postgres/idempotency/idempotency";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { logger } from "../../stores/fresh.ts";
import { addAccount, type Ingress, post, receiptOf, startIngress, type TestAccount } from "./ingressFixture.ts";

let ingress: Ingress;
let caller: TestAccount;
beforeAll(async () => {
  ingress = await startIngress();
  caller = await addAccount(ingress.database);
});
afterAll(() => ingress.stop());

let keys = 0;
const newKey = () => `key-${++keys}`;
const person = (email: string) => ({ identifiers: { email }, attributes: { n: 1 }, canBeCreated: true });
const upsert = (body: unknown, key: string, path = "/api/upsertContact", url = ingress.url) =>
  post(url, { path, key: caller.key, body, headers: { "idempotency-key": key } });

describe("an Idempotency-Key", () => {
  test("gives the first answer again, with the same receipt, and writes nothing more", async () => {
    const key = newKey();
    const first = await upsert(person("a@example.com"), key);
    const again = await upsert(person("a@example.com"), key);
    expect([first.status, first.headers.get("idempotency-replayed")]).toEqual([202, null]);
    expect([again.status, again.headers.get("idempotency-replayed")]).toEqual([202, "true"]);
    expect(again.body).toEqual(first.body);
    const marker = await upsert(person("marker@example.com"), newKey());
    await ingress.recordsOf(marker.body.requestId, 1);
    const [record, ...others] = await ingress.recordsOf(first.body.requestId, 1);
    expect([record?.keyed, others]).toEqual([true, []]);
  });

  test("with another body is refused", async () => {
    const key = newKey();
    await upsert(person("a@example.com"), key);
    expect(await upsert(person("b@example.com"), key)).toMatchObject({
      status: 422,
      body: { code: "IDEMPOTENCY_KEY_REUSED" },
    });
  });

  test("is the account's own, and the path's", async () => {
    const key = newKey();
    const other = await addAccount(ingress.database);
    const body = person("a@example.com");
    const first = await upsert(body, key);
    const onBatch = await upsert([body], key, "/api/upsertContact/batch");
    const ofOther = await post(ingress.url, {
      path: "/api/upsertContact",
      key: other.key,
      body,
      headers: { "idempotency-key": key },
    });
    expect([first.status, onBatch.status, ofOther.status]).toEqual([202, 202, 202]);
    expect(ofOther.body.requestId).not.toBe(first.body.requestId);
  });

  test("gives a refusal again, too", async () => {
    const key = newKey();
    const first = await upsert({ identifiers: {} }, key);
    const again = await upsert({ identifiers: {} }, key);
    expect([first.status, again.status, again.headers.get("idempotency-replayed")]).toEqual([422, 422, "true"]);
    expect(again.body).toEqual(first.body);
  });

  test("of more than 255 characters is refused", async () => {
    expect(await upsert(person("a@example.com"), "x".repeat(256))).toMatchObject({
      status: 400,
      body: { code: "BAD_REQUEST" },
    });
    expect((await upsert(person("a@example.com"), "x".repeat(255))).status).toBe(202);
  });

  test("is not used up by a call that only validates", async () => {
    const key = newKey();
    const body = person("a@example.com");
    expect((await upsert(body, key, "/api/upsertContact?validateOnly=true")).status).toBe(200);
    const answer = await upsert(body, key);
    expect([answer.status, answer.headers.get("idempotency-replayed")]).toEqual([202, null]);
  });

  test("is in progress for a second call while the first one runs, and answered after it", async () => {
    const key = newKey();
    const body = person("slow@example.com");
    ingress.kafkaProxy.setDelay(15_000);
    const first = upsert(body, key);
    await expect.poll(() => ingress.producer.state().queuedBytes).toBeGreaterThan(0);
    const second = await upsert(body, key);
    ingress.kafkaProxy.setDelay(0);
    expect(second).toMatchObject({ status: 409, body: { code: "IDEMPOTENCY_IN_PROGRESS" } });
    expect((await first).status).toBe(202);
    expect((await upsert(body, key)).body.receipt).toBe((await first).body.receipt);
  });
});

describe("a client that never saw its answer", () => {
  test("gets the first one when it asks again: its records are in the log once", async () => {
    const key = newKey();
    const body = JSON.stringify(person("lost@example.com"));
    const socket = connect(ingress.port, "127.0.0.1");
    await once(socket, "connect");
    socket.write(
      `POST /api/upsertContact HTTP/1.1\r\nHost: x\r\nx-api-key: ${caller.key}\r\nIdempotency-Key: ${key}\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    );
    const isWritten = () => ingress.records.some((record) => JSON.stringify(record).includes("lost@example.com"));
    socket.pause();
    await expect.poll(isWritten).toBe(true);
    socket.destroy();
    // What is in the log may be read before the call that wrote it has kept its answer.
    await expect.poll(async () => (await upsert(body, key)).status).toBe(202);
    const again = await upsert(body, key);
    expect([again.status, again.headers.get("idempotency-replayed")]).toEqual([202, "true"]);
    expect(await ingress.recordsOf(again.body.requestId, 1)).toMatchObject([{ keyed: true }]);
  });
});

describe("a first call that ended without an answer stored", () => {
  test("is gone on with under the same request id, and its records are marked so that they are applied once", async () => {
    let isFailing = true;
    const failing = await startIngress();
    const stored = createLeaseStore(failing.postgres, logger);
    const second = await startIngress({
      keys: createKeyCache({
        logger,
        find: async () => ({ kind: "key", id: "k", name: "k", account: account.account, scopes: ["intake"] }),
      }),
      idempotency: {
        ...stored,
        complete: (...input) => (isFailing ? Promise.reject(new Error("away")) : stored.complete(...input)),
      },
    });
    const account = await addAccount(failing.database);
    const key = newKey();
    const body = [person("a@example.com"), { identifiers: {} }, person("b@example.com")];
    const path = "/api/upsertContact/batch";
    expect((await upsert(body, key, path, second.url)).status).toBe(503);
    isFailing = false;
    const again = await upsert(body, key, path, second.url);
    expect(again).toMatchObject({ status: 202, body: { accepted: 2, rejected: 1 } });
    expect(receiptOf(again).requestId).toBe(again.body.requestId);
    const records = await second.recordsOf(again.body.requestId, 4);
    const [first, , third] = records.map(({ id }) => id);
    expect(records.map(({ id, keyed }) => [id, keyed])).toEqual([
      [first, true],
      [first, true],
      [third, true],
      [third, true],
    ]);
    await second.stop();
    await failing.stop();
  });
});
