import type { Producer, TopicMessages } from "kafkajs";
import { serveTasks } from "./processes/serveTasks.ts";
import { parseFrame, readTopic } from "./records/readTopic.ts";
import { type BareResult, bareProducerTask, measured } from "./tasks/bareTasks.ts";
import { bareKafka } from "./world/topics.ts";

const FRAMES_BYTES_MAX = 48 * 1024 * 1024;
/** Bytes of one send, as ours under load. */
const SEND_BYTES = 1024 * 1024;

/** Process: a limit of the ingress. kafkajs' idempotent producer, acks from all, that sends frames of ours as they are. */
serveTasks(async (task) => {
  const wanted = bareProducerTask.parse(task);
  return wanted.kind === "load" ? load(wanted) : send(wanted.seconds);
});

interface Send {
  readonly topic: TopicMessages;
  readonly records: number;
}

let producer: Producer | undefined;
let sends: Send[] = [];

async function load({ brokers, from, to }: { brokers: string; from: string; to: string }): Promise<void> {
  const frames: { partition: number; value: Buffer }[] = [];
  let bytes = 0;
  await readTopic(brokers, from, (messages) => {
    for (const message of messages) bytes += message.value.length;
    frames.push(...messages);
    return bytes < FRAMES_BYTES_MAX;
  });
  sends = toSends(frames, to);
  producer = bareKafka(brokers).producer({
    idempotent: true,
    maxInFlightRequests: 1,
    createPartitioner:
      () =>
      ({ message }) =>
        message.partition ?? 0,
  });
  await producer.connect();
}

/** The frames of all partitions mixed, as requests bring them. */
function toSends(frames: readonly { partition: number; value: Buffer }[], topic: string): Send[] {
  const byPartition = [...Map.groupBy(frames, ({ partition }) => partition).values()];
  const longest = Math.max(...byPartition.map(({ length }) => length));
  const mixed = Array.from({ length: longest }, (_, index) => byPartition.flatMap((one) => one[index] ?? [])).flat();
  const result: Send[] = [];
  for (let from = 0; from < mixed.length; ) {
    let to = from;
    for (let bytes = 0; to < mixed.length && bytes < SEND_BYTES; to++) bytes += mixed[to]?.value.length ?? 0;
    const messages = mixed.slice(from, to).map(({ partition, value }) => ({ partition, key: "bench", value }));
    const records = mixed.slice(from, to).reduce((sum, { value }) => sum + parseFrame(value).records.length, 0);
    result.push({ topic: { topic, messages }, records });
    from = to;
  }
  return result;
}

async function send(seconds: number): Promise<BareResult> {
  return measured(async () => {
    const endMs = performance.now() + seconds * 1_000;
    let events = 0;
    for (let index = 0; performance.now() < endMs; index++) {
      const next = sends[index % sends.length];
      if (next === undefined || producer === undefined) throw new Error("nothing was loaded");
      await producer.sendBatch({ acks: -1, topicMessages: [next.topic] });
      events += next.records;
    }
    return events;
  });
}
