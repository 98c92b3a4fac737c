import { randomUUID } from "node:crypto";
import { createLogger, HeadwaterError } from "@headwater/kernel";
import { useServices } from "@headwater/testing";
import {
  type Codec,
  createCodec,
  createFrameProducer,
  createStreamConsumer,
  createTopicAdmin,
  topicNamed,
} from "@headwater/topics";
import { afterAll, expect, test } from "vitest";

const { kafkaBrokers, schemaRegistryUrl } = useServices();
const brokers = kafkaBrokers.split(",");
const logger = createLogger({ name: "test", level: "silent" });
const topics = createTopicAdmin({ brokers, clientId: "test", logger });
afterAll(() => topics.close());

const closed = (...names: string[]) => ({
  type: "object",
  additionalProperties: false,
  properties: Object.fromEntries(["position", ...names].map((name) => [name, { type: "integer" }])),
});

test("frames of a newer version hold their partition alone until an upgraded process joins, and none is lost or applied twice", async () => {
  const topic = `test.${randomUUID()}`;
  await topics.apply([{ ...topicNamed("changes.carts"), name: topic, partitions: 2 }]);
  const subject = `changes.test${randomUUID().replaceAll("-", "")}`;
  const codecOf = async (schema: object) => {
    const codec = createCodec({ registryUrl: schemaRegistryUrl, schemas: { [subject]: { ...schema } }, logger });
    await codec.ready();
    return codec;
  };
  const older = await codecOf(closed());
  const newer = await codecOf(closed("more"));
  const values = [
    { partition: 0, value: older.encode(subject, { position: 1 }) },
    { partition: 0, value: newer.encode(subject, { position: 2 }) },
    { partition: 0, value: newer.encode(subject, { position: 3, more: 1 }) },
    { partition: 0, value: newer.encode(subject, { position: 4 }) },
    { partition: 1, value: older.encode(subject, { position: 5 }) },
  ];
  const producer = createFrameProducer({ brokers, clientId: "test", codec: newer, logger });
  await producer.start();
  await producer.publish(values.map((message) => ({ topic, key: "k", ...message })));
  await producer.drain(5_000);

  const truth = new Map<number, number>();
  const applied: unknown[] = [];
  const refusals: unknown[] = [];
  const groupId = randomUUID();
  const join = async (codec: Codec) => {
    const consumer = createStreamConsumer({
      ...{ brokers, clientId: "test", groupId, topics: [topic], logger, batchFramesMax: 1 },
      onFatal: (error) => expect.unreachable(String(error)),
      observer: { retry: (error) => refusals.push(error instanceof HeadwaterError ? error.code : error) },
      handler: {
        start: async ({ partition }) => ({ fromOffset: truth.get(partition) ?? 0 }),
        async batch({ partition, frames }) {
          const [frame] = frames;
          if (frame === undefined || frame.offset !== (truth.get(partition) ?? 0))
            return { kind: "seek", offset: truth.get(partition) ?? 0 };
          const decoded = await codec.decode(frame.value, subject);
          applied.push(decoded.kind === "decoded" ? decoded.value : decoded);
          truth.set(partition, frame.offset + 1);
          return { kind: "next", offset: frame.offset + 1 };
        },
      },
    });
    await consumer.start();
    return consumer;
  };
  const outdated = await join(older);
  await expect.poll(() => refusals).toContain("SCHEMA_AHEAD");
  await expect.poll(() => applied).toHaveLength(3);
  expect(applied).toEqual(expect.arrayContaining([{ position: 1 }, { position: 2 }, { position: 5 }]));
  const upgraded = await join(newer);
  await outdated.stop();
  await expect.poll(() => applied).toHaveLength(values.length);
  expect(applied.slice(3)).toEqual([{ position: 3, more: 1 }, { position: 4 }]);
  await upgraded.stop();
});
