import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { createTopicAdmin, topicNamed } from "@headwater/topics";
import type { Admin } from "kafkajs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { cacheFolder, type RunningServices, startServices, testHomeFolder } from "../../../infra/src/index.ts";
import { bareAdmin, patientKafka, readTopic, silent } from "../kafkaTraps/bareKafka.ts";

/** Ports above those of the suites' other services. */
const portBaseOf = (env: NodeJS.ProcessEnv) => Number(env.HEADWATER_PORT_BASE || 8420) + 10_880;
const WAIT_MS = 60_000;

let cluster: RunningServices;
let bare: Admin;

beforeAll(async () => {
  const home = join(testHomeFolder, "thinTopics");
  await rm(home, { recursive: true, force: true });
  const cache = cacheFolder(process.env);
  const portBase = portBaseOf(process.env);
  cluster = await startServices({ home, cache, portBase, only: ["kafka"], kafkaNodes: 3, env: {} });
  bare = bareAdmin(cluster.kafkaBrokers);
  await bare.connect();
}, 3 * WAIT_MS);

afterAll(async () => {
  await bare?.disconnect();
  await cluster?.stop();
}, WAIT_MS);

test("a topic of a time with one broker gets its replicas and min.insync.replicas by topics apply, with all its records", {
  timeout: 4 * WAIT_MS,
}, async () => {
  const wanted = { ...topicNamed("changes.carts"), name: `test.${randomUUID()}`, partitions: 3 };
  const { name: topic } = wanted;
  await bare.createTopics({ topics: [{ topic, numPartitions: 4, replicationFactor: 1 }] });
  const producer = patientKafka(cluster.kafkaBrokers).producer();
  await producer.connect();
  const values = Array.from({ length: 30 }, (_, index) => `record ${index}`);
  await producer.send({ topic, messages: values.map((value, index) => ({ partition: index % 3, value })) });
  await producer.disconnect();

  const admin = createTopicAdmin({ brokers: cluster.kafkaBrokers.split(","), clientId: "test", logger: silent });
  expect((await admin.plan([wanted])).map(({ kind }) => kind)).toEqual(["reassign", "alter"]);
  const done = await admin.apply([wanted]);
  expect(done.map(({ kind }) => kind)).toEqual(["reassign", "alter", "alter"]);
  expect(done.at(-1)).toMatchObject({ changes: [{ name: "min.insync.replicas", from: "1", to: "2" }] });
  const { topics } = await bare.fetchTopicMetadata({ topics: [topic] });
  const replicas = topics.flatMap(({ partitions }) => partitions.map(({ isr }) => isr.toSorted()));
  expect(replicas).toEqual(Array.from({ length: 4 }, () => [1, 2, 3]));
  expect(await admin.plan([wanted])).toMatchObject([{ kind: "same" }]);
  // A bare consumer that rejoins reads some of them twice.
  const read = new Set([...(await readTopic(cluster.kafkaBrokers, topic)).values()].flat());
  expect(read).toEqual(new Set(values));
  await admin.close();
});
