import { randomUUID } from "node:crypto";
import { zstdCompressSync, zstdDecompressSync } from "node:zlib";
import { createTcpProxy, socketsThrough, useServices } from "@headwater/testing";
import { createStreamConsumer, type StreamConsumerOptions } from "@headwater/topics";
import kafkajs from "kafkajs";
import { beforeAll, expect, test, vi } from "vitest";
import { bareAdmin, bareKafka, freshTopic, patientKafka, portOf, silent } from "./bareKafka.ts";

const brokers = useServices().kafkaBrokers;
const WAIT_MS = 60_000;

const COORDINATOR_RETRIES = 8;

// Tests wait side by side, each with a topic and groups of its own.

async function write(
  topic: string,
  values: readonly string[],
  compression = kafkajs.CompressionTypes.None,
): Promise<void> {
  const producer = patientKafka(brokers).producer();
  await producer.connect();
  await producer.send({ topic, compression, messages: values.map((value) => ({ partition: 0, value })) });
  await producer.disconnect();
}

/** Our consumer with its truth in memory. */
function collect(
  topic: string,
  options: Partial<StreamConsumerOptions> = {},
  work: () => Promise<void> = async () => undefined,
) {
  const values: string[] = [];
  const fatals: unknown[] = [];
  let starts = 0;
  let next = 0;
  const consumer = createStreamConsumer({
    brokers: [brokers],
    clientId: "ours",
    groupId: randomUUID(),
    topics: [topic],
    logger: silent,
    onFatal: (error) => fatals.push(error),
    handler: {
      async start() {
        starts += 1;
        return { fromOffset: next };
      },
      async batch({ frames }) {
        await work();
        values.push(...frames.map(({ value }) => value.toString()));
        next = (frames.at(-1)?.offset ?? 0) + 1;
        return { kind: "next", offset: next };
      },
    },
    ...options,
  });
  return { consumer, values, fatals, starts: () => starts };
}

/** Observes a bare consumer: the values it saw, how often it joined, how it crashed. */
function observe(topic: string, work: () => Promise<void>, { sessionTimeout = 30_000, retries = 1 } = {}) {
  const seen = { values: [] as string[], joins: 0, crash: undefined as string | undefined };
  const consumer = bareKafka(brokers).consumer({
    groupId: randomUUID(),
    maxWaitTimeInMs: 100,
    sessionTimeout,
    heartbeatInterval: 500,
    retry: { retries, initialRetryTime: 100, maxRetryTime: 2_000, restartOnFailure: async () => false },
  });
  consumer.on(consumer.events.GROUP_JOIN, () => {
    seen.joins += 1;
  });
  consumer.on(consumer.events.CRASH, ({ payload }) => {
    seen.crash = payload.error.message;
  });
  const run = async () => {
    await consumer.connect();
    await consumer.subscribe({ topic, fromBeginning: true });
    await consumer.run({
      eachBatch: async ({ batch }) => {
        await work();
        seen.values.push(...batch.messages.map(({ value }) => value?.toString() ?? ""));
      },
    });
  };
  return { seen, run, stop: () => consumer.disconnect() };
}

// The first group of a fresh broker waits until its coordinator is there.
beforeAll(async () => {
  const first = observe(await freshTopic(brokers), async () => undefined, { retries: COORDINATOR_RETRIES });
  await first.run();
  await vi.waitFor(() => expect(first.seen.joins).toBeGreaterThan(0), WAIT_MS);
  await first.stop();
});

test.concurrent("the trap: a codec that kafkajs does not know ends a bare consumer; in our topics the broker unpacks it", async () => {
  const { ZSTD, None } = kafkajs.CompressionTypes;
  const asItComes = await freshTopic(brokers);
  const admin = bareAdmin(brokers);
  await admin.connect();
  const packed = `test.${randomUUID()}`;
  await admin.createTopics({ topics: [{ topic: packed, numPartitions: 1 }] });
  await admin.disconnect();

  const notImplemented = kafkajs.CompressionCodecs[ZSTD];
  kafkajs.CompressionCodecs[ZSTD] = () => ({
    compress: async (encoder: { buffer: Buffer }) => zstdCompressSync(encoder.buffer),
    decompress: async (bytes: Buffer) => zstdDecompressSync(bytes),
  });
  for (const topic of [asItComes, packed]) await write(topic, ["packed"], ZSTD);
  kafkajs.CompressionCodecs[ZSTD] = notImplemented;
  for (const topic of [asItComes, packed]) await write(topic, ["plain"], None);

  const bare = observe(packed, async () => undefined);
  await bare.run();
  await vi.waitFor(() => expect(bare.seen.crash).toContain("compression not implemented"), WAIT_MS);
  await bare.stop();
  expect(bare.seen.values).toEqual([]);

  const ours = collect(asItComes);
  await ours.consumer.start();
  await vi.waitFor(() => expect(ours.values).toEqual(["packed", "plain"]), WAIT_MS);
  await ours.consumer.stop();
});

test.concurrent("the trap: a slow batch puts a bare consumer out of its group and gives it the same records again; ours stays and goes on", async () => {
  const topic = await freshTopic(brokers);
  await write(topic, ["a", "b"]);
  const SESSION_MS = 6_000;
  const slow = () => new Promise<void>((resolve) => setTimeout(resolve, SESSION_MS + 2_000));
  const bare = observe(topic, slow, { sessionTimeout: SESSION_MS });
  const ours = collect(topic, { sessionTimeoutMs: SESSION_MS }, slow);
  await Promise.all([bare.run(), ours.consumer.start()]);
  await vi.waitFor(() => expect(bare.seen.joins).toBeGreaterThan(1), WAIT_MS);
  await vi.waitFor(() => expect(ours.values).toEqual(["a", "b"]), WAIT_MS);
  await vi.waitFor(() => expect(bare.seen.values.length).toBeGreaterThan(2), WAIT_MS);
  expect([ours.starts(), ours.fatals]).toEqual([1, []]);
  await Promise.all([bare.stop(), ours.consumer.stop()]);
});

test.concurrent("our consumer comes back by itself after lost answers, cut connections and a silent network, and misses nothing", async () => {
  const topic = await freshTopic(brokers);
  const proxy = await createTcpProxy({ host: "127.0.0.1", port: portOf(brokers) });
  const ours = collect(topic, {
    socketFactory: socketsThrough(new Map([[portOf(brokers), proxy]])),
    requestTimeoutMs: 1_000,
    sessionTimeoutMs: 6_000,
    stallTimeoutMs: 4_000,
  });
  await ours.consumer.start();
  const expected: string[] = [];
  for (const mode of ["forward", "swallowAnswers", "refuse", "silent"] as const) {
    proxy.setMode(mode);
    expected.push(`during ${mode}`);
    await write(topic, [`during ${mode}`]);
    if (mode !== "forward") await vi.waitFor(() => expect(ours.consumer.state()).not.toBe("running"), WAIT_MS);
    proxy.setMode("forward");
    await vi.waitFor(() => expect(ours.values).toEqual(expected), WAIT_MS);
  }
  await ours.consumer.stop();
  await proxy.close();
  expect(ours.fatals).toEqual([]);
});

test.concurrent("our consumer holds a partition of a topic that was created anew instead of reading it from its start", async () => {
  const topic = await freshTopic(brokers);
  await write(topic, ["new"]);
  const ours = collect(topic, {
    handler: { start: async () => ({ fromOffset: 50 }), batch: async () => ({ kind: "wait", ms: 10 }) },
  });
  await ours.consumer.start();
  await vi.waitFor(
    () => expect(ours.consumer.held()[0]?.reason).toContain("offset 50 is out of range; the log retains 0 to 1"),
    WAIT_MS,
  );
  await ours.consumer.stop();
});
