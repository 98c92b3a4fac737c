import { createLogger, HeadwaterError, systemClock } from "@headwater/kernel";
import { expect, test } from "vitest";
import { createFrameProducer } from "./frameProducer.ts";
import type { FrameAppend } from "./pendingMessage.ts";
import type { FrameProducerOptions } from "./producerApi.ts";
import type { Sender, SendTopic } from "./producerLink.ts";
import type { PartitionAnswer } from "./sendAnswer.ts";

const KIB = 1024;
const logger = createLogger({ name: "test", level: "silent" });
const codec = {
  isReady: () => true,
  frame: (_subject: string, _account: string, texts: readonly string[]) => Buffer.from(texts.join("")),
};

/** A log in memory behind senders that can fail in the ways Kafka does. */
function memoryLog() {
  const log = {
    written: new Map<number, string[]>(),
    sends: 0,
    connections: 0,
    closed: 0,
    /** Outcomes of the next sends; those behind them succeed. */
    script: [] as ("lose" | "hang" | "forgetLast")[],
    isAway: false,
    hold: undefined as Promise<void> | undefined,
    connect: async (): Promise<Sender> => {
      if (log.isAway) throw new Error("ECONNREFUSED");
      log.connections += 1;
      return { send, close: () => (log.closed += 1) };
    },
  };

  async function send(topics: readonly SendTopic[]): Promise<readonly PartitionAnswer[]> {
    log.sends += 1;
    const fault = log.script.shift();
    await log.hold;
    if (fault === "hang") await new Promise(() => undefined);
    const bases = new Map<number, number>();
    for (const { partition, value } of topics.flatMap(({ messages }) => messages)) {
      const texts = log.written.get(partition) ?? [];
      log.written.set(partition, texts);
      if (!bases.has(partition)) bases.set(partition, texts.length);
      texts.push(value.toString());
    }
    if (fault === "lose") throw new Error("Request timed out");
    const answers = [...bases].map(([partition, base]) => ({
      topicName: "t",
      partition,
      errorCode: 0,
      baseOffset: String(base),
    }));
    return fault === "forgetLast" ? answers.slice(0, -1) : answers;
  }

  return log;
}

function producerOn(log: ReturnType<typeof memoryLog>, options: Partial<FrameProducerOptions> = {}) {
  return createFrameProducer({
    brokers: [],
    clientId: "c",
    codec,
    logger,
    lingerMs: 1,
    connect: log.connect,
    ...options,
  });
}

function records(...entries: (readonly [partition: number, text: string])[]): FrameAppend {
  return {
    topic: "t",
    subject: "s",
    account: "acc",
    entries: entries.map(([partition, text]) => ({ partition, key: text, text })),
  };
}

const caught = (promise: Promise<unknown>) => promise.then(() => undefined).catch((error: unknown) => error);

test("a request is answered with where its records are", async () => {
  const producer = producerOn(memoryLog(), { lingerMs: 250 });
  await producer.start();
  const [first, second] = await Promise.all([
    producer.append(records([0, "a"], [1, "b"], [0, "c"])),
    producer.append(records([0, "d"])),
  ]);
  expect(first).toEqual([
    { topic: "t", partition: 0, firstOffset: 0, firstPlace: 0, lastOffset: 0, lastPlace: 1, count: 2 },
    { topic: "t", partition: 1, firstOffset: 0, firstPlace: 0, lastOffset: 0, lastPlace: 0, count: 1 },
  ]);
  expect(second).toMatchObject([{ partition: 0, firstPlace: 2, lastPlace: 2, count: 1 }]);
});

test("what comes while a send is under way goes together in the next", async () => {
  const log = memoryLog();
  const producer = producerOn(log, { lingerMs: 0 });
  await producer.start();
  const { promise, resolve } = Promise.withResolvers<void>();
  log.hold = promise;
  const appends = ["a", "b", "c", "d"].map((text) => producer.append(records([0, text])));
  resolve();
  await Promise.all(appends);
  expect(log.sends).toBe(2);
  expect(log.written.get(0)).toEqual(["a", "bcd"]);
});

test("a send whose answer is lost fails its requests, and its producer is thrown away before the next send", async () => {
  const log = memoryLog();
  log.script = ["lose"];
  const producer = producerOn(log);
  await producer.start();
  const error = await caught(producer.append(records([0, "a"])));
  expect(error).toBeInstanceOf(HeadwaterError);
  expect(error).toMatchObject({ code: "SERVICE_UNAVAILABLE", status: 503, retriable: true });
  expect(error).toMatchObject({ extra: { retryAfterSeconds: expect.any(Number) } });
  await producer.append(records([0, "b"]));
  expect([log.connections, log.closed]).toEqual([2, 1]);
});

test("a partition that is missing from the answer fails its requests alone, and takes a new producer", async () => {
  const log = memoryLog();
  log.script = ["forgetLast"];
  const producer = producerOn(log);
  await producer.start();
  const [whole, broken] = await Promise.all([
    producer.append(records([0, "a"])),
    caught(producer.append(records([1, "b"]))),
  ]);
  expect(whole).toMatchObject([{ partition: 0 }]);
  expect(broken).toMatchObject({ status: 503 });
  await producer.append(records([1, "c"]));
  expect(log.connections).toBe(2);
});

test("a send that never ends is given up", async () => {
  const log = memoryLog();
  log.script = ["hang"];
  const producer = producerOn(log, { requestTimeoutMs: 30 });
  await producer.start();
  expect(await caught(producer.append(records([0, "a"])))).toMatchObject({ status: 503 });
  expect(producer.state().queuedBytes).toBe(0);
});

test("a request fails at once while Kafka is away, and succeeds when Kafka is back", async () => {
  const log = memoryLog();
  log.isAway = true;
  const producer = producerOn(log);
  await producer.start();
  expect(producer.state().link).toBe("away");
  expect(await caught(producer.append(records([0, "a"])))).toMatchObject({ status: 503, retriable: true });
  log.isAway = false;
  await expect.poll(() => producer.state().link).toBe("ready");
  await expect(producer.append(records([0, "b"]))).resolves.toHaveLength(1);
});

test("what waits when Kafka goes away fails too, and nothing waits for ever", async () => {
  const log = memoryLog();
  const producer = producerOn(log, { lingerMs: 0 });
  await producer.start();
  const { promise, resolve } = Promise.withResolvers<void>();
  log.hold = promise;
  log.script = ["lose"];
  const appends = [caught(producer.append(records([0, "a"]))), caught(producer.append(records([0, "b"])))];
  log.isAway = true;
  resolve();
  for (const error of await Promise.all(appends)) expect(error).toMatchObject({ status: 503 });
  expect(log.written.get(0)).toEqual(["a"]);
});

test("a full buffer refuses at once and takes again when it is empty", async () => {
  const log = memoryLog();
  const producer = producerOn(log, { bytesInFlightMax: 400, lingerMs: 0 });
  await producer.start();
  const { promise, resolve } = Promise.withResolvers<void>();
  log.hold = promise;
  const taken = producer.append(records([0, "a".repeat(200)]));
  expect(await caught(producer.append(records([0, "b".repeat(200)])))).toMatchObject({ status: 503 });
  resolve();
  await taken;
  await expect(producer.append(records([0, "c"]))).resolves.toHaveLength(1);
});

test("nothing is taken before the schema ids are known", async () => {
  const producer = producerOn(memoryLog(), { codec: { ...codec, isReady: () => false } });
  await producer.start();
  expect(await caught(producer.append(records([0, "a"])))).toMatchObject({ status: 503 });
});

test("ready values are answered with their offsets in the order given, also those of one partition", async () => {
  const producer = producerOn(memoryLog());
  await producer.start();
  const values = [1, 0, 1].map((partition) => ({ topic: "t", partition, key: "k", value: Buffer.from("v") }));
  expect(await producer.publish(values)).toEqual([
    { topic: "t", partition: 1, offset: 0 },
    { topic: "t", partition: 0, offset: 0 },
    { topic: "t", partition: 1, offset: 1 },
  ]);
});

test("a value that no topic would take is refused before it spoils a send", async () => {
  const producer = producerOn(memoryLog());
  await producer.start();
  const value = Buffer.alloc(4 * 1024 * 1024);
  await expect(producer.publish([{ topic: "t", partition: 0, key: "k", value }])).rejects.toThrow("exceeds the limit");
});

test("draining writes what waits, refuses what comes, and lets go of the connection", async () => {
  const log = memoryLog();
  const producer = producerOn(log, { lingerMs: 10_000 });
  await producer.start();
  const waiting = producer.append(records([0, "a"]));
  const drained = producer.drain(1_000);
  expect(await caught(producer.append(records([0, "b"])))).toMatchObject({ status: 503 });
  expect(await drained).toEqual({ leftBytes: 0 });
  await expect(waiting).resolves.toHaveLength(1);
  expect([log.closed, producer.state().link]).toEqual([1, "closed"]);
});

test("draining gives up in time and says what it left", async () => {
  const log = memoryLog();
  log.script = ["hang"];
  const producer = producerOn(log, { lingerMs: 0 });
  await producer.start();
  const waiting = caught(producer.append(records([0, "a"])));
  expect((await producer.drain(20)).leftBytes).toBeGreaterThan(0);
  void waiting;
});

test("metrics learn of sends, failures and what is queued", async () => {
  const log = memoryLog();
  log.script = ["lose"];
  const seen: string[] = [];
  const queued: number[] = [];
  const producer = producerOn(log, {
    observer: {
      queued: (bytes) => queued.push(bytes),
      sent: ({ messages, records: count }) => seen.push(`sent ${messages} with ${count}`),
      failed: ({ records: count }) => seen.push(`failed ${count}`),
    },
  });
  await producer.start();
  await caught(producer.append(records([0, "a"])));
  await producer.append(records([0, "b"], [1, "c"], [1, "d"]));
  expect(seen).toEqual(["failed 1", "sent 2 with 3"]);
  expect(queued.at(-1)).toBe(0);
  expect(Math.max(...queued)).toBeGreaterThan(0);
});

test("an account that fills the buffer is refused with its own 429, and whoever else comes finds room", async () => {
  const log = memoryLog();
  const producer = producerOn(log, { bytesInFlightMax: 10_000, lingerMs: 0 });
  await producer.start();
  const { promise, resolve } = Promise.withResolvers<void>();
  log.hold = promise;
  const of = (account: string, bytes: number) => producer.append({ ...records([0, "x".repeat(bytes)]), account });
  const taken = [of("first", 100), of("honest", 100)];
  const hostile = Array.from({ length: 30 }, () => caught(of("hostile", 800)));
  taken.push(of("honest", 800), of("newcomer", 3_000));
  resolve();
  await Promise.all(taken);
  const refused = (await Promise.all(hostile)).filter((error) => error !== undefined);
  expect(refused.length).toBeGreaterThan(20);
  for (const error of refused) expect(error).toMatchObject({ code: "RATE_LIMITED", status: 429, retriable: true });
  expect(producer.backlog("hostile")).toMatchObject({ bytes: 0, isShared: false });
});

test.each([
  { sendMs: 10, bytes: 2_000 * KIB },
  { sendMs: 400, bytes: 200 * KIB },
])("sends hold what the broker takes in 25 ms: $bytes bytes after one of $sendMs ms", async ({ sendMs, bytes }) => {
  let nowMs = 0;
  const clock = { ...systemClock, monotonicMs: () => nowMs };
  const log = memoryLog();
  const connect = async (): Promise<Sender> => {
    const sender = await log.connect();
    return {
      ...sender,
      send: async (topics) => {
        nowMs += sendMs;
        return sender.send(topics);
      },
    };
  };
  const sent: number[] = [];
  const observer = { sent: (send: { readonly bytes: number }) => sent.push(send.bytes) };
  const producer = producerOn(log, { connect, clock, observer, frameRecordsMax: 1, requestTimeoutMs: 60_000 });
  await producer.start();
  const entries = Array.from({ length: 80 }, (_, at) => [at % 8, "x".repeat(100 * KIB)] as const);
  await producer.append(records(...entries));
  expect(sent.slice(1, -1).every((one) => Math.abs(one - bytes) < 10 * KIB)).toBe(true);
  expect(sent.length).toBeGreaterThan(3);
});
