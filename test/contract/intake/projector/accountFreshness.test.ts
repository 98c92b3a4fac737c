import type { ClickHouse } from "@headwater/clickhouse/clickhouse";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { type Running, startService } from "../../service/running.ts";
import { type Fresh, freshClickHouse } from "../../stores/fresh.ts";
import { AT, type MemoryStream, startMemoryStream } from "./memoryStream.ts";

/*
 * What the service shows an account of its own records, from what `state` and `accounting` stored of the log.
 */

let clickHouse: Fresh<ClickHouse>;
let service: Running;
let stream: MemoryStream;
let key: string;
const LATER_MS = 90_000;

beforeAll(async () => {
  clickHouse = await freshClickHouse();
});
afterAll(() => clickHouse.drop());
beforeEach(async () => {
  const clock = { nowMs: () => AT + LATER_MS, monotonicMs: () => performance.now() };
  const highWatermarks = async (topic: string) =>
    topic === "intake.records"
      ? [...stream.log].map(([partition, frames]) => ({ partition, high: frames.length }))
      : [];
  service = await startService({ clock, highWatermarks }, clickHouse);
  stream = await startMemoryStream({ store: service.postgres, drop: async () => undefined });
  key = await service.key(stream.account);
});
afterEach(() => service.stop());

const contact = (id: string, email: string) => {
  return { id, receivedAt: AT, contact: { identifiers: { email }, attributes: { a: 1 }, canBeCreated: true } };
};
const ofNobody = (id: string) => {
  return {
    id,
    receivedAt: AT,
    contact: { identifiers: { email: "late@x.org" } },
    event: { name: "e", time: "2026-01-01" },
  };
};

async function freshness(as = key) {
  const { status, body } = await service.call(as, "/v2/freshness");
  expect(status).toBe(200);
  return body.account;
}

test("an account sees how many of its records have no end, and how long they wait; others' are not among them", async () => {
  const { key: other } = await service.account();
  expect(await freshness()).toEqual({ pending: 0, seconds: 0 });
  stream.append("upsertContact", [contact("a:0:0", "a@x.org"), contact("a:1:0", "b@x.org")]);
  stream.append("upsertContact", [contact("b:0:0", "c@x.org")], 1);
  await stream.count();
  const { pending, seconds } = await freshness();
  expect([pending, seconds > 0]).toEqual([3, true]);
  expect(await freshness(other)).toEqual({ pending: 0, seconds: 0 });
  await stream.apply();
  expect(await freshness()).toEqual({ pending: 0, seconds: 0 });
});

test("a parked record has no end yet, and what has one is not counted from the middle of a batch", async () => {
  stream.append("createContactactivities", [ofNobody("p:0:0")]);
  await stream.apply();
  stream.append("upsertContact", [contact("a:0:0", "a@x.org"), contact("a:1:0", "b@x.org")]);
  await stream.count();
  expect(await freshness()).toMatchObject({ pending: 3 });
  await stream.apply();
  expect(await freshness()).toEqual({ pending: 1, seconds: 0 });
});

test("frames that are not counted yet make an account wait as their partition does", async () => {
  stream.append("upsertContact", [contact("a:0:0", "a@x.org")]);
  await stream.apply();
  await stream.count();
  stream.append("upsertContact", [contact("b:0:0", "c@x.org")]);
  const { pending, seconds } = await freshness();
  expect([pending, seconds > 0]).toEqual([0, true]);
  await stream.count();
  expect(await freshness()).toMatchObject({ pending: 1 });
});
