import { createTcpProxy, socketsThrough, type TcpProxy, useServices } from "@headwater/testing";
import { createFrameProducer, type FrameProducer } from "@headwater/topics";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { bareKafka, freshTopic, portOf, readTopic, silent } from "./bareKafka.ts";

const brokers = useServices().kafkaBrokers;
const codec = {
  isReady: () => true,
  frame: (_subject: string, _account: string, texts: readonly string[]) => Buffer.from(texts.join(",")),
};

let proxy: TcpProxy;
let topic: string;

beforeEach(async () => {
  topic = await freshTopic(brokers);
  proxy = await createTcpProxy({ host: "127.0.0.1", port: portOf(brokers) });
});

afterEach(async () => {
  await proxy.close();
});

const throughProxy = () => socketsThrough(new Map([[portOf(brokers), proxy]]));
const one = (value: string) => ({ topic, messages: [{ partition: 0, value }] });
const outcome = (promise: Promise<unknown>) => promise.then(() => "resolved").catch(() => "failed");

test("the trap: a bare producer that lost an answer says that the next record was written, and it was not", async () => {
  const producer = bareKafka(brokers, throughProxy()).producer({ idempotent: true, retry: { retries: 1 } });
  await producer.connect();
  await producer.send(one("first"));
  proxy.setMode("swallowAnswers");
  expect(await outcome(producer.send(one("its answer is lost")))).toBe("failed");
  proxy.setMode("forward");
  expect(await outcome(producer.send(one("lost without a word")))).toBe("resolved");
  await producer.disconnect();
  expect((await readTopic(brokers, topic)).get(0)).toEqual(["first", "its answer is lost"]);
});

function ours(requestTimeoutMs = 1_500): FrameProducer {
  return createFrameProducer({
    brokers: [brokers],
    clientId: "ours",
    codec,
    logger: silent,
    requestTimeoutMs,
    socketFactory: throughProxy(),
  });
}

const append = (producer: FrameProducer, text: string) =>
  producer.append({ topic, subject: "s", account: "a", entries: [{ partition: 0, key: "k", text }] });

test("our producer's answer after a lost one is true: the record is in the log, where the answer says", async () => {
  const producer = ours();
  await producer.start();
  await append(producer, "first");
  proxy.setMode("swallowAnswers");
  await expect(append(producer, "its answer is lost")).rejects.toMatchObject({ status: 503, retriable: true });
  expect(proxy.swallowedBytes()).toBeGreaterThan(0);
  await expect(append(producer, "refused while away")).rejects.toMatchObject({ status: 503 });
  proxy.setMode("forward");
  await vi.waitFor(() => expect(producer.state().link).toBe("ready"), 20_000);
  const [placement] = await append(producer, "after");
  await producer.drain(5_000);
  const log = (await readTopic(brokers, topic)).get(0) ?? [];
  expect(log[placement?.firstOffset ?? -1]).toBe("after");
  expect(log.filter((text) => text === "first" || text === "after")).toEqual(["first", "after"]);
});

test("our producer puts every answered record in the log, at its place, with answers lost at random moments", async () => {
  const producer = ours(800);
  await producer.start();
  const answered = new Map<number, string>();
  let isOver = false;
  const faults = (async () => {
    for (let round = 0; round < 4; round += 1) {
      await vi.waitFor(() => expect(answered.size).toBeGreaterThan(round * 50), 20_000);
      const before = proxy.swallowedBytes();
      proxy.setMode(round % 2 === 0 ? "swallowAnswers" : "refuse");
      await vi.waitFor(
        () => expect(producer.state().link === "away" || proxy.swallowedBytes() > before).toBe(true),
        20_000,
      );
      await vi.waitFor(() => expect(producer.state().link).not.toBe("ready"), 20_000);
      proxy.setMode("forward");
      await vi.waitFor(() => expect(producer.state().link).toBe("ready"), 20_000);
    }
    isOver = true;
  })();
  const clients = Array.from({ length: 8 }, async (_, client) => {
    for (let number = 0; !isOver; number += 1) {
      const text = `${client}:${number}`;
      const placements = await append(producer, text).catch(() => []);
      for (const { firstOffset, firstPlace: firstPosition } of placements)
        answered.set(firstOffset * 1_000 + firstPosition, text);
      if (placements.length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    }
  });
  await Promise.all([faults, ...clients]);
  await producer.drain(5_000);
  const log = (await readTopic(brokers, topic)).get(0) ?? [];
  const misplaced = [...answered].filter(([at, text]) => log[Math.floor(at / 1_000)]?.split(",")[at % 1_000] !== text);
  expect(misplaced).toEqual([]);
  expect(answered.size).toBeGreaterThan(150);
});
