import type { ClickHouse } from "@headwater/clickhouse/clickhouse";
import { createStoredParked } from "@headwater/intake/parked/parkedRecords";
import { redriveOnce } from "@headwater/intake/parked/redriver";
import { createStoredOutbox } from "@headwater/intake/relay/outbox";
import { relayOnce } from "@headwater/intake/relay/relay";
import { appendOutbox } from "@headwater/postgres/outbox/outbox";
import { takeOutboxPositions } from "@headwater/records/contacts/sequences";
import { expectPublishable, type PublishedMessage, type RawMessage } from "@headwater/topics";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Fresh, freshClickHouse, logger } from "../../stores/fresh.ts";
import { createMemorySinks, type MemorySinks } from "./memorySinks.ts";
import { codec, type MemoryStream, startMemoryStream } from "./memoryStream.ts";

let stream: MemoryStream;
let fresh: Fresh<ClickHouse>;
let sinks: MemorySinks;
beforeAll(async () => {
  [stream, fresh] = await Promise.all([startMemoryStream(), freshClickHouse()]);
  sinks = createMemorySinks(stream, fresh.store);
});
afterAll(async () => {
  await stream.drop();
  await fresh.drop();
});

const VERSION = "00000000000000010000000000000001";
function order(orderId: string, more: object = {}) {
  const items = [{ productID: `product of ${orderId}`, sku: "s", name: "n", qty: 1 }];
  const view = { status: "", counts: true, currency: "USD", total: "1.00", createdAt: 0, lastModified: 0 };
  const order = { orderID: orderId, items };
  return {
    account: stream.account.number,
    contact: 7,
    orderId,
    purchasedAt: 1,
    ...view,
    order,
    version: VERSION,
    ...more,
  };
}
const frame = (...changes: readonly unknown[]) => Buffer.from(JSON.stringify({ position: 1, changes }));

async function deadLetters(by: string): Promise<readonly { readonly account: number; readonly operation: string }[]> {
  const text = `SELECT account, operation FROM rejects WHERE quarantined_by = $1 AND status = 'open' AND code = 'INTERNAL_ERROR'
    ORDER BY log_offset, place, record_id`;
  return stream.postgres.query({ text }, [by]);
}
async function orders(): Promise<readonly string[]> {
  const rows = await fresh.store.query<{ order_id: string }>(
    "SELECT DISTINCT order_id FROM orders_current ORDER BY order_id",
  );
  return rows.map(({ order_id }) => order_id);
}
async function products(): Promise<readonly string[]> {
  const rows = await stream.postgres.query<{ id: string }>({
    text: "SELECT product_id AS id FROM products ORDER BY 1",
  });
  return rows.map(({ id }) => id);
}

test("change events that are none of ours, or cannot be written, are one dead letter each in both groups that read them", async () => {
  await fresh.store.command("ALTER TABLE orders_current ADD CONSTRAINT refused CHECK order_id != 'refused'");
  const topic = "changes.orders";
  sinks.put(topic, frame(order("a"), null, order("b")));
  sinks.put(topic, Buffer.from([0, 1, 2]));
  sinks.put(topic, Buffer.from("{}"));
  sinks.put(topic, frame(order("c", { contact: "x" }), order("d", { account: "x" }), order("e")));
  sinks.put(topic, frame(order("refused"), order("f")));
  const items = [{ productID: "a\u0000b", sku: "s", name: "n", qty: 1 }];
  sinks.put(topic, frame(order("g", { order: { orderID: "g", items } }), order("h")));
  for (let restart = 0; restart < 2; restart++) {
    await sinks.history();
    await sinks.products();
    expect(await orders()).toEqual(["a", "b", "e", "f", "g", "h"]);
    const whose = (account: number) => ({ account, operation: topic });
    const { number } = stream.account;
    expect(await deadLetters("history")).toEqual([0, 0, 0, number, 0, number].map(whose));
    expect((await deadLetters("products")).length).toBe(5);
  }
  expect(await products()).toEqual(["a", "b", "c", "e", "f", "h", "refused"].map((id) => `product of ${id}`));
});

test("what is quarantined behind the state is in no account's count", async () => {
  const text = "SELECT count(*) AS counted FROM outcome_counts";
  expect(await stream.postgres.query({ text })).toEqual([{ counted: 0 }]);
});

interface Put {
  readonly topic: string;
  readonly payload: string;
}
async function outbox(rows: readonly Put[]): Promise<void> {
  await stream.postgres.transaction(async (transaction) => {
    const positions = await takeOutboxPositions(transaction, rows.length);
    const at = (index: number) => ({ position: positions[index] ?? 0, sourcePartition: 0 });
    await appendOutbox(
      transaction,
      rows.map((row, index) => ({ ...row, ...at(index) })),
    );
  });
}

test("the relay splits what is too large, quarantines what can never be published, and keeps the order of the rest", async () => {
  await drain();
  const { number: account } = stream.account;
  const cart = (cartId: string, text: string) => ({
    account,
    contact: 7,
    cartId,
    version: VERSION,
    cart: { items: [text] },
  });
  const text = (position: number, ...changes: readonly unknown[]) => JSON.stringify({ position, changes });
  const large = "é".repeat(1_000_000);
  const fields = Array.from({ length: 4 }, (_, index) => [`field${index}`, large]);
  await outbox([
    { topic: "changes.carts", payload: text(1, cart("first", "x")) },
    {
      topic: "changes.carts",
      payload: text(2, cart("second", "x"), cart("huge", "é".repeat(2_000_000)), cart("third", "x")),
    },
    { topic: "changes.unknown", payload: text(3, cart("nowhere", "x")) },
    { topic: "changes.contacts", payload: text(4, { account, contact: 7, cid: "c", version: VERSION, fields }) },
    { topic: "changes.carts", payload: text(5, cart("last", "x")) },
  ]);
  const published = await drain();
  const carts = published.filter(({ topic }) => topic === "changes.carts").map(({ value }) => idsOf(value));
  expect(carts.flat()).toEqual(["first", "second", "third", "last"]);
  const contacts = published.filter(({ topic }) => topic === "changes.contacts");
  expect(contacts.flatMap(({ value }) => fieldsOf(value))).toEqual(["field0", "field1", "field2", "field3"]);
  expect(await deadLetters("relay")).toEqual(
    expect.arrayContaining([
      { account, operation: "changes.carts" },
      { account, operation: "changes.unknown" },
    ]),
  );
  expect((await deadLetters("relay")).length).toBe(2);
});

/** Everything that the relay publishes until there is nothing left; a relay that spins fails. */
async function drain(): Promise<readonly RawMessage[]> {
  const published: RawMessage[] = [];
  const publish = async (messages: readonly RawMessage[]): Promise<PublishedMessage[]> => {
    for (const { topic, value } of messages) expectPublishable(topic, value);
    published.push(...messages);
    return messages.map(({ topic, partition }, offset) => ({ topic, partition, offset }));
  };
  const encode = (_topic: string, payload: string) => Buffer.from(payload);
  const options = { outbox: createStoredOutbox(stream.postgres), producer: { publish }, encode, logger };
  // Rows wait for the oldest transaction of the whole server, which other tests share.
  const left = async () => {
    await relayOnce(options);
    const [row] = await stream.postgres.query<{ rows: number }>({ text: "SELECT count(*) AS rows FROM outbox" });
    return row?.rows;
  };
  await expect.poll(left, { timeout: 20_000 }).toBe(0);
  return published;
}

function idsOf(value: Buffer): readonly string[] {
  const { changes }: { changes: { cartId: string }[] } = JSON.parse(value.toString("utf8"));
  return changes.map(({ cartId }) => cartId);
}
function fieldsOf(value: Buffer): readonly string[] {
  const { changes }: { changes: { fields: [string, unknown][] }[] } = JSON.parse(value.toString("utf8"));
  return changes.flatMap(({ fields }) => fields.map(([name]) => name));
}

test("a parked record of an account that is gone is rejected, and the others are written again", async () => {
  const contact = { identifiers: { email: "nobody@example.com" }, attributes: { a: 1 }, canBeUpdated: true };
  const ids = ["one", "gone", "two"].map((name) => `${name}:0:0`);
  stream.append(
    "upsertContact",
    ids.map((id) => ({ id, receivedAt: stream.clock.nowMs(), contact })),
  );
  await stream.apply();
  await stream.postgres.execute({ text: "UPDATE rejects SET account = 99 WHERE record_id = 'gone:0:0'" });
  stream.clock.advance(6_000);
  const again: RawMessage[] = [];
  const options = {
    parked: createStoredParked(stream.postgres),
    producer: {
      publish: async (messages: readonly RawMessage[]) => {
        again.push(...messages);
        return [];
      },
    },
    codec,
    account: async (number: number) => (number === stream.account.number ? stream.account : undefined),
    clock: stream.clock,
    logger,
  };
  await redriveOnce(options);
  expect(again.map(({ value }) => /"id":"(\w+):/.exec(value.toString("utf8"))?.[1]).sort()).toEqual(["one", "two"]);
  const text = "SELECT status, code FROM rejects WHERE account = 99";
  expect(await stream.postgres.query({ text })).toEqual([{ status: "open", code: "INTERNAL_ERROR" }]);
});
