import { randomUUID } from "node:crypto";
import { type EachBatchPayload, type IHeaders, Kafka, logLevel } from "kafkajs";

/** A record as it stands in the log, read by nothing of ours. */
export interface LogRecord {
  readonly partition: number;
  readonly offset: number;
  readonly place: number;
  /** The broker's append time, milliseconds since 1970. */
  readonly timeMs: number;
  readonly operation: string;
  readonly account: string;
  /** The header that only redriven records have. */
  readonly version: string | undefined;
  /** The header that only parked records have which are tried again: the number of the attempt, from 1. */
  readonly attempt: number | undefined;
  readonly record: Readonly<Record<string, unknown>>;
}

export interface ReadLogOptions {
  readonly brokers: string;
  readonly registryUrl: string;
  readonly topic: string;
}

/** The whole of an intake topic by a plain kafkajs consumer, in order of partition, offset and position. */
export async function readLog({ brokers, registryUrl, topic }: ReadLogOptions): Promise<LogRecord[]> {
  const kafka = new Kafka({ brokers: brokers.split(","), clientId: "independent", logLevel: logLevel.NOTHING });
  const ends = await topicEnds(kafka, topic);
  const missing = new Map(ends.filter(({ high }) => high > 0).map(({ partition, high }) => [partition, high]));
  const operationOf = createOperationLookup(registryUrl);
  const records: LogRecord[] = [];
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const consumer = kafka.consumer({ groupId: randomUUID(), maxWaitTimeInMs: 200 });
  await consumer.connect();
  await consumer.subscribe({ topic, fromBeginning: true });
  const eachBatch = async ({ batch }: EachBatchPayload) => {
    for (const message of batch.messages) {
      const { value, offset, timestamp, headers } = message;
      if (value === null) throw new Error(`${topic}/${batch.partition} offset ${offset} is empty`);
      const at = { partition: batch.partition, offset: Number(offset), timeMs: Number(timestamp) };
      const said = { version: headers?.version?.toString(), attempt: attemptOf(headers?.attempt) };
      records.push(...frameRecords(value, { ...at, ...said, operation: await operationOf(value.readInt32BE(1)) }));
      if (at.offset + 1 >= (missing.get(at.partition) ?? 0)) missing.delete(at.partition);
    }
    if (missing.size === 0) resolve();
  };
  await consumer.run({ eachBatch: (payload) => eachBatch(payload).catch(reject) });
  if (missing.size > 0) await promise;
  await consumer.disconnect();
  return records.sort((a, b) => a.partition - b.partition || a.offset - b.offset || a.place - b.place);
}

function attemptOf(header: IHeaders[string]): number | undefined {
  return header === undefined ? undefined : Number(header.toString());
}

/** First offset that is not there yet, by partition. */
export async function logEnds(brokers: string, topic: string): Promise<ReadonlyMap<number, number>> {
  const kafka = new Kafka({ brokers: brokers.split(","), clientId: "independent", logLevel: logLevel.NOTHING });
  return new Map((await topicEnds(kafka, topic)).map(({ partition, high }) => [partition, high]));
}

async function topicEnds(kafka: Kafka, topic: string) {
  const admin = kafka.admin();
  await admin.connect();
  const offsets = await admin.fetchTopicOffsets(topic);
  await admin.disconnect();
  return offsets.map(({ partition, high }) => ({ partition, high: Number(high) }));
}

type FramePosition = Omit<LogRecord, "place" | "account" | "record">;

function frameRecords(value: Buffer, at: FramePosition): LogRecord[] {
  const frame: unknown = JSON.parse(value.subarray(5).toString("utf8"));
  if (!isFrame(frame)) throw new Error(`partition ${at.partition} offset ${at.offset} is no frame`);
  return frame.records.map((record, index) => ({ ...at, place: index, account: frame.account, record }));
}

interface Frame {
  readonly account: string;
  readonly records: readonly Readonly<Record<string, unknown>>[];
}

function isFrame(value: unknown): value is Frame {
  return typeof value === "object" && value !== null && "account" in value && "records" in value;
}

/** Looks up the operation of a schema id, in the registry itself. */
function createOperationLookup(registryUrl: string) {
  const known = new Map<number, Promise<string>>();
  const ask = async (id: number): Promise<string> => {
    const answer = await fetch(`${registryUrl}/schemas/ids/${id}/versions`);
    const versions: unknown = await answer.json();
    const first: unknown = Array.isArray(versions) ? versions[0] : undefined;
    if (typeof first === "object" && first !== null && "subject" in first) {
      return String(first.subject).replace(/^intake\./, "");
    }
    throw new Error(`the registry does not say what schema ${id} is: ${JSON.stringify(versions)}`);
  };
  return (id: number): Promise<string> => {
    const asked = known.get(id) ?? ask(id);
    known.set(id, asked);
    return asked;
  };
}
