import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect, createMemoryTerminal, runCommand } from "@headwater/cli";
import { readKnownStore } from "@headwater/guard/clickHouseWitness/knownStore";
import { createLogger } from "@headwater/kernel";
import { readRelayProgress, setRelayProgress } from "@headwater/postgres/outbox/outbox";
import { followStreamWatermark, takeStreamWatermark } from "@headwater/postgres/outbox/streamWatermarks";
import { noteHeld, setOffset } from "@headwater/postgres/streams/streamOffsets";
import { useServices } from "@headwater/testing";
import { createTopicAdmin } from "@headwater/topics";
import { Kafka, logLevel } from "kafkajs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Running, startService } from "../service/running.ts";
import { movesOn, receiptsOf } from "../service/streams.ts";

const TOPIC = "changes.orders";
const PARTITION = 1;
const READ = 3;
const POSITION = 50;

const { kafkaBrokers } = useServices();
const kafka = new Kafka({ brokers: kafkaBrokers.split(","), logLevel: logLevel.NOTHING });
const topics = createTopicAdmin({
  brokers: kafkaBrokers.split(","),
  clientId: "test",
  logger: createLogger({ name: "test", level: "silent" }),
});
let service: Running;
let mine: Awaited<ReturnType<Running["account"]>>;
let home: string;

beforeAll(async () => {
  await topics.apply();
  service = await startService();
  mine = await service.account();
  home = await mkdtemp(join(tmpdir(), "headwater-cli-"));
});
afterAll(async () => {
  await service.stop();
  await topics.close();
  await rm(home, { recursive: true });
});

const move = movesOn(() => service.postgres);
const created = receiptsOf(() => mine.account);

/** Runs the command in this process. */
async function adopt(...args: readonly string[]) {
  const { terminal, out, said } = createMemoryTerminal({ input: "" });
  const env = { HEADWATER_HOME: home, POSTGRES_URL: service.postgresUrl, KAFKA_BROKERS: kafkaBrokers };
  const code = await runCommand({ args: ["topics", "adopt", TOPIC, ...args, "--json"], env, terminal, connect });
  return { code, out: out(), digest: /digest (\w+)/.exec(said())?.[1] ?? "" };
}

async function write(messages: number): Promise<void> {
  const producer = kafka.producer();
  await producer.connect();
  const all = Array.from({ length: messages }, (_, index) => ({ partition: PARTITION, value: `message ${index}` }));
  await producer.send({ topic: TOPIC, messages: all });
  await producer.disconnect();
}

async function recreateTopic(): Promise<void> {
  const admin = kafka.admin();
  await admin.connect();
  await admin.deleteTopics({ topics: [TOPIC] });
  await expect.poll(() => admin.listTopics()).not.toContain(TOPIC);
  await admin.disconnect();
  await topics.apply();
}

/** Marks everything as published: the change events of the topic up to the offset, and all that waits. */
async function publishUpTo(offset: number): Promise<void> {
  const before = await readRelayProgress(service.postgres);
  const to = { xid: "1", position: POSITION, offsets: { [TOPIC]: { [PARTITION]: offset } } };
  expect(await setRelayProgress(service.postgres, before, to)).toBe(true);
}

const audience = (token: string) =>
  service.call(mine.key, `/v2/audiencecount?after=${token}`, { method: "POST", body: { and: [] } });
const asOf = async () =>
  Date.parse((await service.call(mine.key, "/v2/audiencecount", { method: "POST", body: { and: [] } })).body.asOf);

test("after a change topic was recreated and adopted, asOf, ?after= and exports continue", async () => {
  const { postgres } = service;
  await recreateTopic();
  await write(READ + 1);
  await publishUpTo(READ + 1);
  const { token } = created(0, 0, 1);
  for (const group of ["state", "activities"]) await move(group, 0, 1, { outboxPosition: POSITION });
  service.highs.set("intake.records", 1);
  // One of the four messages is not read when the topic is lost.
  await move("history", PARTITION, READ, { topic: TOPIC });
  expect((await audience(token)).status).toBe(409);
  const exported = await postgres.transaction(takeStreamWatermark);
  const waiting = await followStreamWatermark(postgres, exported);
  expect(waiting).toMatchObject({ changes: { [TOPIC]: { [PARTITION]: READ + 1 } } });

  await recreateTopic();
  await write(1);
  const history = { group: "history", topic: TOPIC, generation: 1, partition: PARTITION };
  await noteHeld(postgres, history, "the topic was recreated");
  const stale = await asOf();
  const preview = await adopt("--dry-run");
  expect(JSON.parse(preview.out)).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ what: "cut", partition: PARTITION }),
      expect.objectContaining({ what: "lost to history", partition: PARTITION, records: 1 }),
    ]),
  );
  const confirmed = ["--yes", "--confirm", preview.digest, "--reason", "deleted by mistake"];
  expect(await adopt(...confirmed)).toMatchObject({ code: 0 });
  expect((await readRelayProgress(postgres)).offsets).toEqual({ [TOPIC]: { [PARTITION]: 1 } });
  // ClickHouse will never confirm it: it lacks the event, and is refused until it was rebuilt.
  const stream = `history/${TOPIC}/2/${PARTITION}`;
  expect((await readKnownStore(postgres)).marks).toEqual({ [stream]: 1 });
  // The message of the new topic is not read yet.
  expect((await audience(token)).status).toBe(409);
  await postgres.transaction((transaction) =>
    setOffset(
      transaction,
      { ...history, generation: 2 },
      { nextOffset: 1, lastRecordId: null, greatestTime: 0, outboxPosition: 0, windowFrom: 0 },
    ),
  );
  expect((await audience(token)).status).toBe(200);
  expect(await followStreamWatermark(postgres, typeof waiting === "string" ? exported : waiting)).toBe("passed");
  expect(await followStreamWatermark(postgres, await postgres.transaction(takeStreamWatermark))).toBe("passed");
  await expect.poll(asOf).toBeGreaterThan(stale);
});

test("a held change topic holds asOf and ?after=, though its offset is above what the relay has published since", async () => {
  const { postgres } = service;
  const key = { group: "history", topic: TOPIC, generation: 2, partition: PARTITION };
  const { token } = created(0, 0, 1);
  expect((await audience(token)).status).toBe(200);
  await noteHeld(postgres, key, "the topic was recreated");
  const held = await postgres.transaction(takeStreamWatermark);
  // Offsets that were just read are good for a moment.
  await expect.poll(async () => (await audience(token)).status).toBe(409);
  expect(await followStreamWatermark(postgres, held)).not.toBe("passed");
  await noteHeld(postgres, key, undefined);
  await expect.poll(async () => (await audience(token)).status).toBe(200);
});

test("a relay that read its mark before the adoption does not bring the former offset back", async () => {
  const { postgres } = service;
  const before = await readRelayProgress(postgres);
  const offsets = { ...before.offsets, [TOPIC]: { [PARTITION]: 9 } };
  expect(await setRelayProgress(postgres, { ...before, offsets }, { ...before, offsets })).toBe(false);
  expect(await readRelayProgress(postgres)).toEqual(before);
});
