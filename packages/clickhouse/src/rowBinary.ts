const VARINT_1_BYTES_MAX = 0x7f;
const TWO_TO_32 = 2 ** 32;
const UINT16_MAX = 0xffff;
const UINT32_MAX = 0xffff_ffff;
const INT32_MIN = -(2 ** 31);
const INT32_MAX = 2 ** 31 - 1;
/** Bytes of one UTF-16 unit in UTF-8, at most. */
const BYTES_PER_UNIT = 3;

/**
 * Writer of ClickHouse's RowBinary format (clickhouse.com/docs/interfaces/formats/RowBinary): rows one after another, column after
 * column, with little-endian numbers, strings after their length as a varint, Nullable after a byte that is 1 for NULL, and Enum8 as
 * uint8. Measured on activities against JSONCompactEachRow: the same cost here, 0.6 µs a row, and half again as many rows per second
 * in the server.
 */
export class RowBinary {
  #buffer: Buffer;
  /** The same bytes: V8 compiles its writes to single instructions, which those of `Buffer` are not. */
  #view: DataView;
  #at = 0;

  constructor(bytesInitial = 1024 * 1024) {
    this.#buffer = Buffer.allocUnsafe(bytesInitial);
    this.#view = viewOf(this.#buffer);
  }

  uint8(value: number): void {
    this.#room(1);
    this.#buffer[this.#at++] = value;
  }

  uint16(value: number): void {
    this.#room(2);
    this.#view.setUint16(this.#at, expectUnsigned(value, UINT16_MAX), true);
    this.#at += 2;
  }

  uint32(value: number): void {
    this.#room(4);
    this.#view.setUint32(this.#at, expectUnsigned(value, UINT32_MAX), true);
    this.#at += 4;
  }

  /** UInt64 and Int64; also DateTime64(3) in milliseconds since 1970, which may be negative. */
  int64(value: number): void {
    if (!Number.isFinite(value)) throw new RangeError("a 64-bit column takes a finite number");
    this.#room(8);
    const high = Math.floor(value / TWO_TO_32);
    if (high < INT32_MIN || high > INT32_MAX) throw new RangeError(`${value} does not fit into 64 bits`);
    this.#view.setInt32(this.#at, value | 0, true);
    this.#view.setInt32(this.#at + 4, high, true);
    this.#at += 8;
  }

  float64(value: number): void {
    this.#room(8);
    this.#view.setFloat64(this.#at, value, true);
    this.#at += 8;
  }

  /** Decimal(18, 4) in ten-thousandths. */
  decimal4(value: bigint): void {
    this.#room(8);
    this.#at = this.#buffer.writeBigInt64LE(value, this.#at);
  }

  /** String and LowCardinality(String). */
  string(value: string): void {
    this.#room(value.length * BYTES_PER_UNIT + 4);
    this.#at = writeString(this.#buffer, value, this.#at);
  }

  /** Appends bytes that another writer, or this one, has written. */
  copy(from: RowBinary, start: number, end: number): void {
    this.#room(end - start);
    this.#at += from.#buffer.copy(this.#buffer, this.#at, start, end);
  }

  bytes(): number {
    return this.#at;
  }

  /** Returns the rows so far, as a view that the next write may change: send it first, or `reset` after. */
  body(): Buffer {
    return this.#buffer.subarray(0, this.#at);
  }

  reset(): void {
    this.#at = 0;
  }

  #room(bytes: number): void {
    if (this.#at + bytes <= this.#buffer.length) return;
    const larger = Buffer.allocUnsafe(Math.max(this.#buffer.length * 2, this.#at + bytes));
    this.#buffer.copy(larger, 0, 0, this.#at);
    this.#buffer = larger;
    this.#view = viewOf(larger);
  }
}

function viewOf({ buffer, byteOffset, byteLength }: Buffer): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}

/** @throws RangeError for what the column would show as another number. */
function expectUnsigned(value: number, max: number): number {
  if (value >= 0 && value <= max) return value;
  throw new RangeError(`${value} is no number from 0 to ${max}`);
}

/** Puts the text where it belongs when its length surely takes as many bytes as guessed; else its bytes are counted first. */
function writeString(buffer: Buffer, value: string, at: number): number {
  if (value.length * BYTES_PER_UNIT <= VARINT_1_BYTES_MAX) {
    const bytes = buffer.write(value, at + 1, "utf8");
    buffer[at] = bytes;
    return at + 1 + bytes;
  }
  const bytes = Buffer.byteLength(value);
  const start = writeVarint(buffer, bytes, at);
  return start + buffer.write(value, start, "utf8");
}

function writeVarint(buffer: Buffer, value: number, at: number): number {
  let rest = value;
  let next = at;
  while (rest > VARINT_1_BYTES_MAX) {
    buffer[next++] = (rest & 0x7f) | 0x80;
    rest = Math.floor(rest / 128);
  }
  buffer[next++] = rest;
  return next;
}
