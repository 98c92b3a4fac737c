import { crc32c } from "@node-rs/crc32";
import { type Bytes, type ByteWriter, lengthOf, sizeOfVarint } from "./byteWriter.ts";

/** A message as kafkajs hands it to its own encoder, but for timestamps, which ours never have: the broker sets them. */
export interface BatchMessage {
  readonly key?: Bytes | undefined;
  readonly value: Bytes;
  readonly headers?: Readonly<Record<string, string | Buffer>> | undefined;
}

/** Identity of an idempotent producer, and the place of the batch in what it sends to a partition. */
export interface BatchOrigin {
  readonly producerId: bigint;
  readonly producerEpoch: number;
  readonly firstSequence: number;
  /** Milliseconds since 1970. */
  readonly timestamp: bigint;
}

/** Everything before the records: from `baseOffset` to the count of records. */
const HEADER_BYTES = 61;
/** `baseOffset` and `batchLength`, which the length does not count. */
const BEFORE_LENGTH_BYTES = 12;
/** The checksum covers what stands behind it. */
const CHECKED_FROM = 21;
const MAGIC = 2;
/** Attributes and timestamp delta of a record, both 0. */
const FIXED_RECORD_BYTES = 2;

/** A record with its lengths, so that each text is measured once. */
interface MeasuredRecord {
  readonly key: Bytes;
  readonly keyLength: number;
  readonly value: Bytes;
  readonly valueLength: number;
  readonly headers: readonly (readonly [string, string | Buffer])[];
  /** Bytes behind the record's own length. */
  readonly length: number;
}

/** A batch that was measured and can be written. */
export interface MeasuredBatch {
  readonly records: readonly MeasuredRecord[];
  /** Bytes of the whole batch. */
  readonly bytes: number;
}

/** Measures a batch of the messages of one partition, uncompressed, outside of any transaction. */
export function measureBatch(messages: readonly BatchMessage[]): MeasuredBatch {
  const records = messages.map(measureRecord);
  const bytes = records.reduce((sum, { length }) => sum + sizeOfVarint(length) + length, HEADER_BYTES);
  return { records, bytes };
}

/**
 * Writes a record batch, magic 2, without a copy in between.
 * Source: https://kafka.apache.org/documentation/#recordbatch
 */
export function writeBatch(writer: ByteWriter, { records, bytes }: MeasuredBatch, origin: BatchOrigin): void {
  const start = writer.at;
  writer.int64(0n);
  writer.int32(bytes - BEFORE_LENGTH_BYTES);
  writer.int32(0);
  writer.int8(MAGIC);
  writer.int32(0);
  writer.int16(0);
  writer.int32(records.length - 1);
  writer.int64(origin.timestamp);
  writer.int64(origin.timestamp);
  writer.int64(origin.producerId);
  writer.int16(origin.producerEpoch);
  writer.int32(origin.firstSequence);
  writer.int32(records.length);
  for (const [offsetDelta, record] of records.entries()) writeRecord(writer, record, offsetDelta);
  const checksum = crc32c(writer.buffer.subarray(start + CHECKED_FROM, writer.at));
  writer.buffer.writeUInt32BE(checksum, start + CHECKED_FROM - 4);
}

function measureRecord({ key = null, value, headers }: BatchMessage, offsetDelta: number): MeasuredRecord {
  const [keyLength, valueLength] = [lengthOf(key), lengthOf(value)];
  const named = headers === undefined ? [] : Object.entries(headers);
  const length =
    FIXED_RECORD_BYTES +
    sizeOfVarint(offsetDelta) +
    sizeOfVarint(key === null ? -1 : keyLength) +
    keyLength +
    sizeOfVarint(value === null ? -1 : valueLength) +
    valueLength +
    named.reduce((sum, header) => sum + sizeOfHeader(header), sizeOfVarint(named.length));
  return { key, keyLength, value, valueLength, headers: named, length };
}

function sizeOfHeader([name, content]: readonly [string, string | Buffer]): number {
  const [nameLength, length] = [lengthOf(name), lengthOf(content)];
  return sizeOfVarint(nameLength) + nameLength + sizeOfVarint(length) + length;
}

function writeRecord(writer: ByteWriter, record: MeasuredRecord, offsetDelta: number): void {
  writer.varint(record.length);
  writer.int8(0);
  writer.varint(0);
  writer.varint(offsetDelta);
  writer.varintBytes(record.key, record.keyLength);
  writer.varintBytes(record.value, record.valueLength);
  writer.varint(record.headers.length);
  for (const [name, content] of record.headers) {
    writer.varintBytes(name, lengthOf(name));
    writer.varintBytes(content, lengthOf(content));
  }
}
