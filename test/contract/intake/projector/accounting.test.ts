import type { ClickHouse } from "@headwater/clickhouse/clickhouse";
import { HeadwaterError } from "@headwater/kernel";
import { lockOffset, setOffset } from "@headwater/postgres/streams/streamOffsets";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Running, startService } from "../../service/running.ts";
import { type Fresh, freshClickHouse } from "../../stores/fresh.ts";
import { AT, type MemoryStream, startMemoryStream } from "./memoryStream.ts";

/*
 * What the service shows of the log, from what `state` and `accounting` stored of it, each by itself.
 */

let clickHouse: Fresh<ClickHouse>;
let service: Running;
let stream: MemoryStream;
let key: string;
const HOUR = 3_600_000;
const NOW = AT + 9.5 * HOUR;

beforeAll(async () => {
  clickHouse = await freshClickHouse();
});
afterAll(() => clickHouse.drop());
beforeEach(async () => {
  const clock = { nowMs: () => NOW, monotonicMs: () => performance.now() };
  const highWatermarks = async (topic: string) =>
    topic === "intake.records"
      ? [...stream.log].map(([partition, frames]) => ({ partition, high: frames.length }))
      : [];
  service = await startService({ clock, highWatermarks }, clickHouse);
  stream = await startMemoryStream({ store: service.postgres, drop: async () => undefined });
  key = await service.key(stream.account);
});
afterEach(() => service.stop());

const create = { canBeCreated: true, canBeUpdated: true };
const contact = (id: string, email: string, more: object = {}) => {
  return { id, receivedAt: AT, contact: { identifiers: { email }, attributes: { a: 1 }, ...create }, ...more };
};
const toNoList = (id: string) => ({ id, receivedAt: AT, contact: { identifiers: { email: "a@x.org" } }, listId: 99 });
const activity = (id: string, more: object = {}) => ({
  id,
  receivedAt: AT,
  contact: { identifiers: { email: "late@x.org" } },
  event: { name: "browse", time: "2026-01-01T00:00:00Z" },
  ...more,
});

const toMerge = (email: string, customer_id: string) => {
  return { contact: { identifiers: { email } }, previous: { identifiers: { customer_id } } };
};
const refund = (email: string) => {
  return { contact: { identifiers: { email } }, order: { orderID: "o", status: "refunded" } };
};

const get = (url: string, as = key) => service.call(as, url);
async function accounting() {
  await stream.count();
  const { status, body } = await get("/v2/accounting");
  expect(status).toBe(200);
  return body;
}
const zero = { accepted: 0, applied: 0, skipped: 0, rejected: 0, parked: 0, lost: 0, pending: 0 };
const hour = new Date(AT).toISOString();

/** Every outcome there is: two applied (one of them written twice), a skip, two rejections, one parked, four not read yet. */
async function everyOutcome(): Promise<void> {
  const keyed = contact("k:0:0", "k@x.org", { keyed: true });
  stream.append("upsertContact", [contact("c:0:0", "a@x.org"), keyed]);
  stream.append("upsertContact", [keyed, contact("u:0:0", "a@x.org")], 0);
  stream.append("removeContactsFromList", [toNoList("r:0:0"), toNoList("r:0:1")], 1);
  stream.append("createContactactivities", [activity("p:0:0")], 2);
  await stream.apply();
  stream.append("upsertContact", [contact("w:0:0", "w@x.org"), contact("w:1:0", "v@x.org")]);
  stream.append("upsertContact", [contact("w:2:0", "w@x.org"), contact("w:3:0", "v@x.org")], 5);
}

describe("GET /v2/accounting", () => {
  test("shows of every record what became of it, by hour and operation", async () => {
    await everyOutcome();
    expect(await accounting()).toEqual({
      from: new Date(AT - 14 * HOUR).toISOString(),
      to: new Date(AT + 10 * HOUR).toISOString(),
      data: [
        { ...zero, hour, operation: "createContactactivities", accepted: 1, parked: 1 },
        { ...zero, hour, operation: "removeContactsFromList", accepted: 2, rejected: 2 },
        { ...zero, hour, operation: "upsertContact", accepted: 7, applied: 2, skipped: 1, pending: 4 },
      ],
      balanced: true,
    });
    await stream.apply();
    const { data, balanced } = await accounting();
    expect(data[2]).toMatchObject({ accepted: 7, applied: 4, skipped: 3, pending: 0 });
    expect(balanced).toBe(true);
  });

  test("follows a parked record to its end, and counts what a redrive writes as a record of its own", async () => {
    stream.append("createContactactivities", [activity("p:0:0"), activity("q:0:0")]);
    await stream.apply();
    stream.append("createContactactivities", [activity("p:0:0", { redriveOf: "p:0:0" })]);
    await stream.apply();
    const line = { ...zero, hour, operation: "createContactactivities" };
    expect((await accounting()).data).toEqual([{ ...line, accepted: 2, rejected: 1, parked: 1 }]);
    stream.append("upsertContact", [contact("c:0:0", "late@x.org")]);
    stream.append("createContactactivities", [activity("q:0:0", { redriveOf: "q:0:0" })]);
    await stream.apply();
    expect((await accounting()).data[0]).toEqual({ ...line, accepted: 2, applied: 1, rejected: 1 });
    stream.clock.advance(2 * HOUR);
    const writer = await service.key(stream.account, { scopes: ["write"] });
    const select = { ids: ["p:0:0"] };
    await service.call(writer, "/v2/deadletters/redrive", { method: "POST", body: { select } });
    const killed = new Error("killed");
    const writeAndDie = async (messages: Parameters<typeof stream.write>[0]) => {
      await stream.write(messages);
      throw killed;
    };
    await expect(stream.step(writeAndDie)).rejects.toBe(killed);
    stream.clock.advance(HOUR);
    await stream.redriveAll();
    await stream.apply();
    const { data, balanced } = await accounting();
    expect(data[0]).toEqual({ ...line, accepted: 2, applied: 1, rejected: 1 });
    expect(data.at(-1)).toMatchObject({ accepted: 1, applied: 1 });
    expect(balanced).toBe(true);
  });

  test("counts a push's parts like all records: those that validation refused, and repeats under a partner's name", async () => {
    const part = {
      push: "cdpsync/eventProcessing",
      code: "VALIDATION_ERROR",
      path: "/events/0",
      message: "No.",
      part: 1,
    };
    const bought = contact("m:0:0", "a@x.org", { once: "e1:0" });
    stream.append("upsertContact", [bought, { ...bought, id: "n:0:0" }]);
    stream.append("setAside", [
      { id: "m:1:0", receivedAt: AT, verdict: "rejected", ...part },
      { id: "m:2:0", receivedAt: AT, verdict: "skipped", ...part },
    ]);
    stream.append("mergeContacts", [
      { id: "m:3:0", receivedAt: AT, ...toMerge("a@x.org", "c1") },
      { id: "m:4:0", receivedAt: AT, ...toMerge("nobody@x.org", "c2") },
    ]);
    await stream.apply();
    stream.append("upsertContact", [{ ...bought, id: "o:0:0" }], 1);
    await stream.apply();
    stream.append("setOrderStatus", [{ id: "p:0:0", receivedAt: AT, ...refund("a@x.org") }]);
    const { data, balanced } = await accounting();
    expect(data).toEqual([
      { ...zero, hour, operation: "mergeContacts", accepted: 2, applied: 1, parked: 1 },
      { ...zero, hour, operation: "setAside", accepted: 2, skipped: 1, rejected: 1 },
      { ...zero, hour, operation: "setOrderStatus", accepted: 1, pending: 1 },
      { ...zero, hour, operation: "upsertContact", accepted: 3, applied: 1, skipped: 2 },
    ]);
    expect(balanced).toBe(true);
  });

  test.each([
    ["an outcome", "DELETE FROM outcome_counts"],
    ["a rejected record", "DELETE FROM rejects WHERE record_id = 'r:0:1'"],
    ["a parked record", "DELETE FROM rejects WHERE status = 'parked'"],
    ["a count of the log", "UPDATE log_counts SET records = records - 1 WHERE operation = 'upsertContact'"],
    ["a record that nobody dealt with", "UPDATE log_batches SET counts = '[]', frames = '[]' WHERE partition = 5"],
  ])("shows when %s is taken away", async (_what, text) => {
    await everyOutcome();
    expect((await accounting()).balanced).toBe(true);
    expect(await service.postgres.execute({ text })).toBeGreaterThan(0);
    expect((await accounting()).balanced).toBe(false);
  });

  test("shows when a frame was passed by without being applied", async () => {
    stream.append("upsertContact", [contact("c:0:0", "a@x.org")]);
    await stream.apply();
    stream.append("upsertContact", [contact("d:0:0", "d@x.org"), contact("d:1:0", "e@x.org")]);
    const at = { group: "state", topic: "intake.records", generation: 1, partition: 0 };
    await service.postgres.transaction(async (transaction) => {
      const stored = await lockOffset(transaction, at);
      await setOffset(transaction, at, { ...stored, nextOffset: 2 });
    });
    const { data, balanced } = await accounting();
    expect([data[0], balanced]).toEqual([
      { ...zero, hour, operation: "upsertContact", accepted: 3, applied: 1 },
      false,
    ]);
  });

  test("a message nobody can read belongs to no account, and is counted the same from both sides", async () => {
    stream.append("", [contact("x:0:0", "x@x.org")]);
    await stream.apply();
    expect((await accounting()).data).toEqual([]);
    const sides = await service.postgres.query({
      text: "SELECT l.records, l.hour, r.received_at / 3600000 AS at FROM log_counts l JOIN rejects r USING (account) WHERE account = 0",
    });
    expect(sides).toEqual([{ records: 1, hour: AT / HOUR, at: AT / HOUR }]);
  });

  test("accounting of one account shows nothing of another", async () => {
    await everyOutcome();
    await stream.count();
    const other = await service.account();
    expect((await get("/v2/accounting", other.key)).body).toMatchObject({ data: [], balanced: true });
  });

  test("takes whole hours between from and to", async () => {
    stream.append("upsertContact", [
      contact("a:0:0", "a@x.org"),
      contact("b:0:0", "b@x.org", { receivedAt: AT + HOUR - 1 }),
      contact("c:0:0", "c@x.org", { receivedAt: AT + HOUR }),
    ]);
    await stream.apply();
    await stream.count();
    const of = (from: number, to: number) =>
      get(`/v2/accounting?from=${new Date(from).toISOString()}&to=${new Date(to).toISOString()}`);
    expect((await of(AT + 1, AT + HOUR)).body.data).toMatchObject([{ accepted: 2 }]);
    expect((await of(AT + HOUR, AT + 2 * HOUR)).body).toMatchObject({ data: [{ accepted: 1 }], balanced: true });
  });

  test("400 for a time that is none, 422 for a range that is empty, too long or too old, 401 and 403 without the right key", async () => {
    for (const [query, status] of [
      ["from=soon", 400],
      ["hours=2", 400],
      ["from=2026-01-01&to=2025-12-31", 422],
      ["from=2025-11-01&to=2026-01-01", 422],
      ["from=2024-01-01&to=2024-01-02", 422],
    ] as const) {
      expect([query, (await get(`/v2/accounting?${query}`)).status]).toEqual([query, status]);
    }
    expect((await service.call(undefined, "/v2/accounting")).status).toBe(401);
    const narrow = await service.key(stream.account, { scopes: ["orders:read"] });
    expect((await get("/v2/accounting", narrow)).status).toBe(403);
  });

  test("503 with Retry-After while the log is not counted up to where the outcomes go", async () => {
    stream.append("upsertContact", [contact("a:0:0", "a@x.org")]);
    await stream.apply();
    const { status, body, headers } = await get("/v2/accounting");
    expect([status, body.code, headers["retry-after"]]).toEqual([503, "SERVICE_UNAVAILABLE", "1"]);
  });

  test("a process that counts what another has counted goes on from there", async () => {
    stream.append("upsertContact", [contact("a:0:0", "a@x.org")]);
    await Promise.all([stream.count(), stream.count()]);
    stream.append("upsertContact", [contact("b:0:0", "b@x.org")]);
    await stream.apply();
    expect(await accounting()).toMatchObject({ data: [{ accepted: 2, applied: 2 }], balanced: true });
  });
});

describe("GET /v2/freshness", () => {
  test("shows for each topic and group how many records and seconds it is behind", async () => {
    await everyOutcome();
    await stream.count();
    const { status, body } = await get("/v2/freshness");
    expect(status).toBe(200);
    const of = (group: string) =>
      body.data.find((row: { group: string; topic: string }) => row.group === group && row.topic === "intake.records");
    expect(of("state")).toMatchObject({ records: 4, seconds: (NOW - AT) / 1_000 });
    expect(of("accounting")).toMatchObject({ records: 0, seconds: 0 });
    expect(body.postgres.seconds).toBe(of("state").seconds);
    await stream.apply();
    expect((await get("/v2/freshness")).body.postgres).toEqual({ seconds: 0 });
  });

  test("401 without a key, 403 without the scope, 503 with Kafka away", async () => {
    expect((await service.call(undefined, "/v2/freshness")).status).toBe(401);
    const narrow = await service.key(stream.account, { scopes: ["orders:read"] });
    expect((await get("/v2/freshness", narrow)).status).toBe(403);
    const away = new HeadwaterError({
      code: "SERVICE_UNAVAILABLE",
      status: 503,
      publicMessage: "away",
      retriable: true,
    });
    const alone = await startService({ highWatermarks: () => Promise.reject(away) }, clickHouse);
    const { key: other } = await alone.account();
    const { status, body } = await alone.call(other, "/v2/freshness");
    await alone.stop();
    expect([status, body.code]).toEqual([503, "SERVICE_UNAVAILABLE"]);
  });
});
