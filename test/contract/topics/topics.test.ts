import { randomUUID } from "node:crypto";
import { createLogger } from "@headwater/kernel";
import { useServices } from "@headwater/testing";
import {
  catalogue,
  createCodec,
  createFrameProducer,
  createSchemaRegistry,
  createStreamConsumer,
  createTopicAdmin,
  type StreamHandler,
  type TopicDefinition,
} from "@headwater/topics";
import { Kafka, logLevel } from "kafkajs";
import { afterAll, expect, test, vi } from "vitest";
import { z } from "zod";

const services = useServices();
const brokers = services.kafkaBrokers.split(",");
const logger = createLogger({ name: "test", level: "silent" });
const admin = createTopicAdmin({ brokers, clientId: "test", logger });
const WAIT_MS = 60_000;

afterAll(() => admin.close());

const frameOf = (members: z.ZodRawShape) =>
  z.strictObject({ schema: z.string().optional(), account: z.string(), records: z.array(z.strictObject(members)) });
const recordMembers = {
  id: z.string(),
  receivedAt: z.int().nonnegative(),
  contact: z.strictObject({
    identifiers: z.record(z.string(), z.string()),
    email: z.email().optional(),
    attributes: z.record(z.string(), z.unknown()).optional(),
  }),
};
const frameSchema = z.toJSONSchema(frameOf(recordMembers));
const ACCOUNT = "a".repeat(24);

function definition(changes: Partial<TopicDefinition> = {}): TopicDefinition {
  const [fallback] = catalogue;
  if (fallback === undefined) throw new Error("the catalogue is empty");
  return { ...fallback, name: `test.${randomUUID()}`, partitions: 3, ...changes };
}

async function freshTopic(changes: Partial<TopicDefinition> = {}): Promise<string> {
  const created = definition(changes);
  await admin.apply([created]);
  return created.name;
}

const record = (id: string, text = "x") => ({
  id,
  receivedAt: 1_700_000_000_000,
  contact: {
    identifiers: { email: `${text}@example.com` },
    email: "someone@example.com",
    attributes: { text, n: null, l: [1] },
  },
});

async function freshCodec(schema: Record<string, unknown> = frameSchema) {
  const subject = `intake.test${randomUUID().replaceAll("-", "")}`;
  const codec = createCodec({ registryUrl: services.schemaRegistryUrl, schemas: { [subject]: schema }, logger });
  await codec.ready();
  return { codec, subject };
}

test("a cluster is planned, made, found the same, altered, and never given another number of partitions", async () => {
  const wanted = definition();
  expect(await admin.plan([wanted])).toMatchObject([{ kind: "create", topic: wanted.name }]);
  expect(await admin.apply([wanted])).toMatchObject([{ kind: "create" }]);
  expect(await admin.plan([wanted])).toEqual([{ kind: "same", topic: wanted.name }]);
  const shorter = { ...wanted, retentionMs: 3_600_000 };
  expect(await admin.apply([shorter])).toMatchObject([
    { kind: "alter", changes: [{ name: "retention.ms", from: "518400000", to: "3600000" }] },
  ]);
  expect(await admin.plan([shorter])).toEqual([{ kind: "same", topic: wanted.name }]);
  expect(await admin.apply([{ ...shorter, partitions: 6 }])).toMatchObject([{ kind: "refused" }]);
  expect(await admin.watermarks(wanted.name)).toHaveLength(3);
  expect(await admin.watermarks("test.nobody")).toEqual([]);
});

test("a frame is read back by its schema id, and the registry's own library accepts it with full validation", async () => {
  const { codec, subject } = await freshCodec();
  const records = [record("1"), record("2", 'é"\\\u2028😀')];
  const frame = codec.frame(
    subject,
    ACCOUNT,
    records.map((item) => JSON.stringify(item)),
  );
  const schema = expect.stringMatching(/^intake\.\w+@[0-9a-f]{12}$/);
  expect(codec.decode(frame)).toEqual({ kind: "decoded", subject, value: { schema, account: ACCOUNT, records } });
  const library = createSchemaRegistry(services.schemaRegistryUrl, 5_000);
  expect(await library.decode(frame)).toEqual({ schema, account: ACCOUNT, records });
  const wrong = codec.frame(subject, ACCOUNT, ['{"id":"1","receivedAt":-1,"contact":{"identifiers":{}},"unknown":1}']);
  await expect(library.decode(wrong)).rejects.toThrow("invalid payload");
});

test("a reader that registered nothing learns what an id is", async () => {
  const { codec, subject } = await freshCodec();
  const reader = createCodec({ registryUrl: services.schemaRegistryUrl, schemas: {}, logger });
  expect(await reader.decode(codec.frame(subject, ACCOUNT, []))).toMatchObject({ kind: "decoded", subject });
  const stray = Buffer.concat([Buffer.from([0, 0x7f, 0, 0, 0]), Buffer.from("{}")]);
  expect(await reader.decode(stray)).toMatchObject({ kind: "undecodable" });
});

test("a schema may grow by what is optional and is refused when it asks for more", async () => {
  const { subject } = await freshCodec();
  const next = (members: z.ZodRawShape) => {
    const schemas = { [subject]: z.toJSONSchema(frameOf({ ...recordMembers, ...members })) };
    return createCodec({ registryUrl: services.schemaRegistryUrl, schemas, logger }).ready();
  };
  await expect(next({ source: z.string().optional() })).resolves.toBeUndefined();
  await expect(next({ source: z.string() })).rejects.toMatchObject({ code: "SCHEMA_REFUSED", retriable: false });
});

test("what a request wrote is found where its placements say, with the broker's own time", async () => {
  const topic = await freshTopic();
  const { codec, subject } = await freshCodec();
  const producer = createFrameProducer({ brokers, clientId: "test", codec, logger, frameRecordsMax: 4 });
  await producer.start();
  const requests = Array.from({ length: 20 }, (_, request) =>
    Array.from({ length: 7 }, (_, index) => ({ partition: (request + index) % 3, id: `${request}:${index}` })),
  );
  const located = await Promise.all(
    requests.map((items) => {
      const entries = items.map(({ partition, id }) => ({ partition, key: id, text: JSON.stringify(record(id)) }));
      return producer.append({ topic, subject, account: ACCOUNT, entries });
    }),
  );
  const log = new Map<string, string>();
  const times: number[] = [];
  const consumer = createStreamConsumer({
    ...member(topic),
    handler: {
      start: async ({ low }) => ({ fromOffset: low }),
      async batch({ partition, frames }) {
        for (const { offset, value, timeMs } of frames) {
          times.push(timeMs);
          const decoded = await codec.decode(value);
          if (decoded.kind !== "decoded") throw new Error(decoded.reason);
          const { records } = z.object({ records: z.array(z.looseObject({ id: z.string() })) }).parse(decoded.value);
          for (const [position, { id }] of records.entries()) log.set(`${partition}/${offset}/${position}`, id);
        }
        return { kind: "next", offset: (frames.at(-1)?.offset ?? 0) + 1 };
      },
    },
  });
  await consumer.start();
  await vi.waitFor(() => expect(log.size).toBe(140), WAIT_MS);
  located.forEach((placements, request) => {
    const items = requests[request] ?? [];
    for (const {
      partition,
      firstOffset,
      firstPlace: firstPosition,
      lastOffset,
      lastPlace: lastPosition,
      count,
    } of placements) {
      const own = items.filter((item) => item.partition === partition).map(({ id }) => id);
      expect([
        count,
        log.get(`${partition}/${firstOffset}/${firstPosition}`),
        log.get(`${partition}/${lastOffset}/${lastPosition}`),
      ]).toEqual([own.length, own[0], own.at(-1)]);
    }
  });
  expect(times.every((time) => Number.isSafeInteger(time) && time > 1_700_000_000_000)).toBe(true);
  await consumer.stop();
  await producer.drain(5_000);
});

test("a record's time is the broker's, whatever its producer says", async () => {
  const topic = await freshTopic({ partitions: 1 });
  const bare = new Kafka({ brokers, logLevel: logLevel.NOTHING }).producer();
  await bare.connect();
  await bare.send({ topic, messages: [{ value: "forged", timestamp: "1" }] });
  await bare.disconnect();
  const times: number[] = [];
  const consumer = createStreamConsumer({
    ...member(topic),
    handler: {
      start: async ({ low }) => ({ fromOffset: low }),
      async batch({ frames }) {
        times.push(...frames.map(({ timeMs }) => timeMs));
        return { kind: "next", offset: frames.length };
      },
    },
  });
  await consumer.start();
  await vi.waitFor(() => expect(times).toHaveLength(1), WAIT_MS);
  await consumer.stop();
  expect(times[0]).toBeGreaterThan(1_700_000_000_000);
});

test("ready values keep their order and their headers", async () => {
  const topic = await freshTopic({ partitions: 1 });
  const producer = createFrameProducer({
    brokers,
    clientId: "test",
    codec: { isReady: () => true, frame: () => Buffer.alloc(0) },
    logger,
  });
  await producer.start();
  const values = ["a", "b", "c"].map((text) => ({
    topic,
    partition: 0,
    key: `key ${text}`,
    value: Buffer.from(text),
    ...(text === "b" ? { headers: { version: "0123" } } : {}),
  }));
  expect((await producer.publish(values)).map(({ offset }) => offset)).toEqual([0, 1, 2]);
  const seen: unknown[] = [];
  const consumer = createStreamConsumer({
    ...member(topic),
    handler: {
      start: async ({ low }) => ({ fromOffset: low }),
      async batch({ frames }) {
        seen.push(...frames.map(({ key, value, headers }) => [key, value.toString(), headers]));
        return { kind: "next", offset: (frames.at(-1)?.offset ?? 0) + 1 };
      },
    },
  });
  await consumer.start();
  await vi.waitFor(() => expect(seen).toHaveLength(3), WAIT_MS);
  await consumer.stop();
  await producer.drain(5_000);
  expect(seen).toEqual([
    ["key a", "a", {}],
    ["key b", "b", { version: "0123" }],
    ["key c", "c", {}],
  ]);
});

test("members of a group that come and go apply every frame once, with the truth as their fence", async () => {
  const topic = await freshTopic();
  const groupId = randomUUID();
  const truth = new Map<number, number>();
  const applied: string[] = [];
  const handler: StreamHandler = {
    start: async ({ partition }) => ({ fromOffset: truth.get(partition) ?? 0, generation: 2 + partition }),
    async batch({ partition, frames }) {
      const next = truth.get(partition) ?? 0;
      if (frames[0]?.offset !== next) return { kind: "seek", offset: next };
      await new Promise((resolve) => setTimeout(resolve, 3));
      // Another member may have been here meanwhile: compare and set, as the row lock does.
      if ((truth.get(partition) ?? 0) !== next) return { kind: "seek", offset: truth.get(partition) ?? 0 };
      applied.push(...frames.map(({ value }) => value.toString()));
      truth.set(partition, next + frames.length);
      return { kind: "next", offset: next + frames.length };
    },
  };
  const join = async () => {
    const consumer = createStreamConsumer({
      ...member(topic, groupId),
      handler,
      batchFramesMax: 10,
      sessionTimeoutMs: 6_000,
    });
    await consumer.start();
    return consumer;
  };
  const producer = createFrameProducer({
    brokers,
    clientId: "test",
    codec: { isReady: () => true, frame: () => Buffer.alloc(0) },
    logger,
  });
  await producer.start();
  const sent: string[] = [];
  const write = async (count: number) => {
    const values = Array.from({ length: count }, () => randomUUID());
    sent.push(...values);
    await producer.publish(
      values.map((text, index) => ({ topic, partition: index % 3, key: "k", value: Buffer.from(text) })),
    );
  };
  await write(500);
  const first = await join();
  await vi.waitFor(() => expect(applied.length).toBeGreaterThan(50), WAIT_MS);
  const second = await join();
  await write(500);
  await vi.waitFor(() => expect(second.positions().length).toBeGreaterThan(0), WAIT_MS);
  await first.stop();
  await write(500);
  await vi.waitFor(() => expect(applied.length).toBeGreaterThanOrEqual(sent.length), WAIT_MS);
  await second.stop();
  await producer.drain(5_000);
  expect(applied.toSorted()).toEqual(sent.toSorted());
  const committed = await admin.committed(groupId, [topic]);
  expect(committed.map(({ offset, generation }) => [offset, generation])).toEqual(
    [...truth].toSorted(([a], [b]) => a - b).map(([partition, next]) => [next, 2 + partition]),
  );
});

function member(topic: string, groupId: string = randomUUID()) {
  const onFatal = (error: unknown) => expect.unreachable(String(error));
  return { brokers, clientId: "test", groupId, topics: [topic], logger, onFatal };
}
