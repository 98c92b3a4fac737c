import { randomUUID } from "node:crypto";
import { changeFrames } from "@headwater/contracts";
import { frameSchema, subjectOf, toJsonSchema } from "@headwater/intake/operations/jsonSchema";
import { loggedOperations } from "@headwater/intake/operations/registry";
import { createLogger } from "@headwater/kernel";
import { useServices } from "@headwater/testing";
import { type Codec, createCodec, createFrameProducer, type FrameProducer } from "@headwater/topics";
import { expect } from "vitest";
import { test } from "./sharedStack.ts";
import type { Caller, Stack } from "./stack.ts";

let stack: Stack;
let caller: Caller;
let codec: Codec;
let producer: FrameProducer;
const logger = createLogger({ name: "poison", level: "silent" });

test.beforeAll(async ({ stack: shared }) => {
  stack = shared;
  caller = await stack.caller("poison");
  const services = useServices();
  const intake = loggedOperations.map((operation) => [subjectOf(operation), frameSchema(operation)] as const);
  const changes = Object.entries(changeFrames).map(([topic, frame]) => [topic, toJsonSchema(frame)] as const);
  codec = createCodec({
    registryUrl: services.schemaRegistryUrl,
    schemas: Object.fromEntries([...intake, ...changes]),
    logger,
  });
  await codec.ready();
  producer = createFrameProducer({ brokers: services.kafkaBrokers.split(","), clientId: "poison", codec, logger });
  await producer.start();
});
test.afterAll(async () => {
  await producer.drain(1_000);
});

const SUBJECT = "intake.createContactactivities";
const TIME = "2026-01-09T22:47:12Z";
/** Ids are a record's own: what is written to each is made again. */
const PARTITIONS = [0, 1, 2, 3] as const;

async function writeEverywhere(topic: string, createValues: () => readonly Buffer[]): Promise<void> {
  for (const partition of PARTITIONS) {
    await producer.publish(createValues().map((value) => ({ topic, partition, key: "poison", value })));
  }
}

/** Taken before validation bounded names: it is stored flat. */
const DOTTED = Array.from({ length: 4_500 }, () => "0").join(".");

function dotted(): Buffer {
  const contact = { identifiers: { email: "ada@example.com" } };
  const event = { name: "dotted", time: TIME, properties: { [DOTTED]: "flat" } };
  return codec.encode(SUBJECT, {
    account: caller.accountId,
    records: [{ id: `${randomUUID()}:0:0`, receivedAt: Date.now(), contact, event }],
  });
}

function poisonOfIntake(): Buffer[] {
  const receivedAt = Date.now();
  const contact = { identifiers: { email: "ada@example.com" } };
  const event = { name: "poisoned", time: TIME };
  const id = () => `${randomUUID()}:0:0`;
  const frames: readonly unknown[] = [
    null,
    { account: caller.accountId, records: 7 },
    { account: "f".repeat(24), records: [{ id: id(), receivedAt, contact, event }] },
    { account: caller.accountId, records: [null, 1, {}, { id: "a\u0000", receivedAt, contact, event }] },
    {
      account: caller.accountId,
      records: Array.from({ length: 10_000 }, () => ({ id: id(), receivedAt, contact, event })),
    },
    { account: caller.accountId, records: [{ id: id(), receivedAt, contact: null, event: null }] },
    { account: caller.accountId, records: [{ id: id(), receivedAt, contact, event: { ...event, name: 17 } }] },
    { account: caller.accountId, records: [{ id: id(), receivedAt, contact, event: { ...event, UID: "\u0000" } }] },
  ];
  const good = codec.encode(SUBJECT, { account: caller.accountId, records: [] });
  const unknownSchema = Buffer.from(good);
  unknownSchema.writeInt32BE(2_000_000_000, 1);
  const cut = codec.encode(SUBJECT, frames[1]).subarray(0, 20);
  const nineteen = codec.frame(SUBJECT, caller.accountId, [
    `{"id":"${id()}","receivedAt":1234567890123456789,"contact":{"identifiers":{"email":"ada@example.com"}},"event":{"name":"n","time":"${TIME}"}}`,
  ]);
  return [
    ...frames.map((value) => codec.encode(SUBJECT, value)),
    unknownSchema,
    cut,
    nineteen,
    Buffer.from([9, 0, 0, 0, 1, 65]),
    Buffer.from([0]),
    codec.encode("changes.carts", { position: 1, changes: [] }),
  ];
}

function poisonOfChanges(): Buffer[] {
  const topic = "changes.orders";
  return [
    Buffer.from([0]),
    codec.encode(topic, null),
    codec.encode(topic, { position: "x", changes: [] }),
    codec.encode(topic, {
      position: 1,
      changes: [null, { account: caller.account, orderId: 5, order: null, contact: {} }],
    }),
    codec.encode(SUBJECT, { account: caller.accountId, records: [] }),
  ];
}

async function expectAlive(round: number): Promise<void> {
  const who = { email: "ada@example.com" };
  const create = { canBeCreated: true, canBeUpdated: true };
  const created = await caller.send("upsertContact", { identifiers: who, attributes: { round }, ...create });
  expect(await caller.settled(created)).toMatchObject({ state: "applied" });
  const properties = { round };
  const visit = { contact: { identifiers: who }, contactactivities: [{ name: "alive", time: TIME, properties }] };
  const sent = await caller.send("createContactactivities", visit);
  expect(await caller.settled(sent)).toMatchObject({ state: "applied", records: { applied: 1 } });
  expect(await caller.count({ event: "alive", where: [{ field: "round", op: "eq", value: round }] }, sent)).toBe(1);
  const items = [{ productID: `alive-${round}`, sku: "s", name: "Item", itemPrice: 3 }];
  const order = { orderID: `alive-${round}`, purchaseDate: "2026-01-09", items };
  const ordered = await caller.send("upsertOrder", { contact: { identifiers: who }, order });
  expect(await caller.settled(ordered)).toMatchObject({ state: "applied" });
  expect(await caller.read(`/v2/products/alive-${round}`, ordered)).toMatchObject({ status: 200 });
  expect(await caller.count({ order: true }, ordered)).toBe(1);
}

test("poison in every topic and partition stops no group, before and after a restart", async () => {
  await expectAlive(1);
  await producer.publish([{ topic: "intake.records", partition: 0, key: "dotted", value: dotted() }]);
  for (const topic of ["intake.records", "intake.bulk"]) await writeEverywhere(topic, poisonOfIntake);
  for (const topic of ["changes.orders", "changes.contacts", "changes.carts"]) {
    await writeEverywhere(topic, poisonOfChanges);
  }
  await expectAlive(2);
  stack.killProjector();
  await expectAlive(3);
  const activities = await caller.get("/v2/contactactivities?per_page=100");
  const found = activities.body.data.find(({ action }: { action: string }) => action === "dotted");
  expect(found.properties).toEqual({ [DOTTED]: "flat" });
  const { body } = await caller.get("/v2/deadletters?code=INTERNAL_ERROR&per_page=500");
  expect(body.data.length).toBeGreaterThan(0);
  await expect
    .poll(async () => (await caller.get("/v2/accounting")).body.balanced, { timeout: 60_000, interval: 1_000 })
    .toBe(true);
}, 240_000);
