import { ByteWriter, lengthOf } from "./byteWriter.ts";
import { type BatchMessage, type MeasuredBatch, measureBatch, writeBatch } from "./recordBatch.ts";

/** A produce request of an idempotent producer without transactions, uncompressed. */
export interface ProduceRequest {
  readonly acks: number;
  readonly timeout: number;
  readonly producerId: bigint;
  readonly producerEpoch: number;
  readonly topicData: readonly TopicData[];
}

interface TopicData {
  readonly topic: string;
  readonly partitions: readonly PartitionData[];
}

interface PartitionData {
  readonly partition: number;
  readonly firstSequence: number;
  readonly messages: readonly BatchMessage[];
}

interface MeasuredTopic {
  readonly topic: string;
  readonly partitions: readonly { readonly data: PartitionData; readonly batch: MeasuredBatch }[];
}

/** Bytes of `transactional_id` (null), `acks`, `timeout_ms` and the count of topics. */
const REQUEST_BYTES = 12;
/** Length of the topic's name, and the count of its partitions. */
const TOPIC_BYTES = 6;
/** Index of the partition, and the bytes of its batch. */
const PARTITION_BYTES = 8;

/**
 * Encodes the body of a produce request, versions 3 to 7, into one buffer: it is measured first and then written once.
 * Source: https://kafka.apache.org/protocol#The_Messages_Produce
 * @param nowMs time of the batches, which the broker replaces by its own (LogAppendTime).
 */
export function encodeProduce(request: ProduceRequest, nowMs: number): Buffer {
  const { acks, timeout, producerId, producerEpoch, topicData } = request;
  const topics = topicData.map(measureTopic);
  const writer = new ByteWriter(topics.reduce((sum, topic) => sum + sizeOfTopic(topic), REQUEST_BYTES));
  writer.string(null);
  writer.int16(acks);
  writer.int32(timeout);
  writer.int32(topics.length);
  for (const { topic, partitions } of topics) {
    writer.string(topic);
    writer.int32(partitions.length);
    for (const { data, batch } of partitions) {
      writer.int32(data.partition);
      writer.int32(batch.bytes);
      const { firstSequence } = data;
      writeBatch(writer, batch, { producerId, producerEpoch, firstSequence, timestamp: BigInt(nowMs) });
    }
  }
  return writer.buffer;
}

function measureTopic({ topic, partitions }: TopicData): MeasuredTopic {
  return { topic, partitions: partitions.map((data) => ({ data, batch: measureBatch(data.messages) })) };
}

function sizeOfTopic({ topic, partitions }: MeasuredTopic): number {
  const ofBatches = partitions.reduce((sum, { batch }) => sum + PARTITION_BYTES + batch.bytes, 0);
  return TOPIC_BYTES + lengthOf(topic) + ofBatches;
}
