import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { createTcpProxy, socketsThrough, type TcpProxy } from "@headwater/testing";
import {
  catalogue,
  createFrameProducer,
  createTopicAdmin,
  type FrameProducer,
  type SocketFactory,
} from "@headwater/topics";
import type { Admin } from "kafkajs";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { cacheFolder, type RunningServices, startServices, testHomeFolder } from "../../../infra/src/index.ts";
import { bareAdmin, bareKafka, freshTopic, portOf, readTopic, silent } from "../kafkaTraps/bareKafka.ts";

/** Ports above those of the suites' other services. */
const portBaseOf = (env: NodeJS.ProcessEnv) => Number(env.HEADWATER_PORT_BASE || 8420) + 10_800;
const WAIT_MS = 60_000;
const codec = {
  isReady: () => true,
  frame: (_subject: string, _account: string, texts: readonly string[]) => Buffer.from(texts.join(",")),
};

let cluster: RunningServices;
let admin: Admin;
let proxy: TcpProxy;
let topic: string;

beforeAll(async () => {
  const home = join(testHomeFolder, "threeBrokers");
  await rm(home, { recursive: true, force: true });
  cluster = await startServices({
    home,
    cache: cacheFolder(process.env),
    portBase: portBaseOf(process.env),
    only: ["kafka"],
    kafkaNodes: 3,
    env: {},
  });
  admin = bareAdmin(cluster.kafkaBrokers);
  await admin.connect();
}, 3 * WAIT_MS);

afterAll(async () => {
  await admin?.disconnect();
  await cluster?.stop();
}, WAIT_MS);

/** Partition 0 on broker 1, partition 1 on broker 2, and a proxy before broker 2. */
beforeEach(async () => {
  topic = `test.${randomUUID()}`;
  await admin.createTopics({
    waitForLeaders: false,
    topics: [
      {
        topic,
        configEntries: [{ name: "min.insync.replicas", value: "1" }],
        replicaAssignment: [
          { partition: 0, replicas: [1] },
          { partition: 1, replicas: [2] },
        ],
      },
    ],
  });
  await vi.waitFor(() => admin.fetchTopicOffsets(topic), WAIT_MS);
  proxy = await createTcpProxy({ host: "127.0.0.1", port: portOfBroker2() });
});

afterEach(() => proxy?.close());

const portOfBroker2 = () => portOf(cluster.kafkaBrokers.split(",")[1] ?? "");
const throughProxy = (): SocketFactory => socketsThrough(new Map([[portOfBroker2(), proxy]]));

/**
 * Moves broker 2's partition to broker 1 and breaks the connection to broker 2, while a send is under way whose part for broker 1 is
 * written and whose part for broker 2 is on its way.
 */
async function moveLeaderDuring<Answer>(send: () => Promise<Answer>): Promise<Answer> {
  const endOf = async (partition: number) =>
    Number((await admin.fetchTopicOffsets(topic)).find((offsets) => offsets.partition === partition)?.high);
  const before = await endOf(0);
  proxy.setMode("silent");
  const sending = send();
  sending.catch(() => "looked at by the caller");
  await vi.waitFor(async () => expect(await endOf(0)).toBe(before + 1), WAIT_MS);
  await admin.alterPartitionReassignments({
    topics: [{ topic, partitionAssignment: [{ partition: 1, replicas: [1] }] }],
  });
  await vi.waitFor(async () => {
    const { topics } = await admin.fetchTopicMetadata({ topics: [topic] });
    expect(topics[0]?.partitions.map(({ leader }) => leader)).toEqual([1, 1]);
  }, WAIT_MS);
  proxy.setMode("refuse");
  return sending;
}

test("the trap: a bare producer resolves though the partition whose leader moved to a broker that had answered was dropped", async () => {
  const kafka = bareKafka(cluster.kafkaBrokers, throughProxy());
  const producer = kafka.producer({ idempotent: true, retry: { retries: 8 } });
  await producer.connect();
  const send = (text: string) =>
    producer.send({ topic, timeout: WAIT_MS, messages: [0, 1].map((partition) => ({ partition, value: text })) });
  await send("before");
  const answers = await moveLeaderDuring(() => send("during"));
  expect(answers.map(({ partition, errorCode }) => [partition, errorCode])).toEqual([[0, 0]]);
  await producer.disconnect();
  const log = await readTopic(cluster.kafkaBrokers, topic);
  expect([log.get(0), log.get(1)]).toEqual([["before", "during"], ["before"]]);
});

function ours(options: { readonly socketFactory?: SocketFactory } = {}): FrameProducer {
  const brokers = cluster.kafkaBrokers.split(",");
  return createFrameProducer({
    brokers,
    clientId: "ours",
    codec,
    logger: silent,
    requestTimeoutMs: 20_000,
    ...options,
  });
}

const append = (producer: FrameProducer, text: string, partitions: readonly number[] = [0, 1]) => {
  const entries = partitions.map((partition) => ({ partition, key: "k", text }));
  return producer.append({ topic, subject: "s", account: "a", entries });
};

test("our producer refuses a request of which a partition was dropped, and its retry is written whole", async () => {
  const producer = ours({ socketFactory: throughProxy() });
  await producer.start();
  await append(producer, "before");
  await expect(moveLeaderDuring(() => append(producer, "during"))).rejects.toMatchObject({
    status: 503,
    retriable: true,
  });
  await vi.waitFor(() => expect(producer.state().link).toBe("ready"), WAIT_MS);
  expect(await append(producer, "again")).toHaveLength(2);
  await producer.drain(5_000);
  const log = await readTopic(cluster.kafkaBrokers, topic);
  expect([log.get(0), log.get(1)]).toEqual([
    ["before", "during", "again"],
    ["before", "again"],
  ]);
});

test("our producer puts every answered record in the log, at its place, while brokers are killed one after the other", async () => {
  topic = await freshTopic(cluster.kafkaBrokers, { partitions: 6 });
  const producer = ours();
  await producer.start();
  const answered = new Map<string, string>();
  let isOver = false;
  const kills = (async () => {
    for (const node of cluster.kafkaNodes) {
      const before = answered.size;
      await vi.waitFor(() => expect(answered.size).toBeGreaterThan(before + 300), WAIT_MS);
      node.kill("SIGKILL");
      await node.ready();
      await vi.waitFor(() => expect(answered.size).toBeGreaterThan(before + 600), WAIT_MS);
    }
    isOver = true;
  })();
  const clients = Array.from({ length: 6 }, async (_, client) => {
    for (let number = 0; !isOver; number += 1) {
      const text = `${client}:${number}`;
      const placements = await append(producer, text, [0, 1, 2, 3, 4, 5]).catch(() => []);
      for (const { partition, firstOffset, firstPlace: firstPosition } of placements)
        answered.set(`${partition}/${firstOffset}/${firstPosition}`, text);
      if (placements.length === 0) await new Promise((resolve) => setTimeout(resolve, 50));
    }
  });
  await Promise.all([kills, ...clients]);
  await producer.drain(5_000);
  const log = await readTopic(cluster.kafkaBrokers, topic);
  const misplaced = [...answered].filter(([at, text]) => {
    const [partition = 0, offset = 0, position = 0] = at.split("/").map(Number);
    return log.get(partition)?.[offset]?.split(",")[position] !== text;
  });
  expect(misplaced).toEqual([]);
  expect(answered.size).toBeGreaterThan(1_800);
});

test("our admin applies topics although not all brokers know them yet", async () => {
  const [fallback] = catalogue;
  if (fallback === undefined) throw new Error("the catalogue is empty");
  const topics = createTopicAdmin({ brokers: cluster.kafkaBrokers.split(","), clientId: "ours", logger: silent });
  for (let round = 0; round < 20; round += 1) {
    const definition = { ...fallback, partitions: 3, name: `test.${randomUUID()}` };
    await topics.apply([definition]);
    expect(await topics.watermarks(definition.name)).toHaveLength(3);
  }
  await topics.close();
});
