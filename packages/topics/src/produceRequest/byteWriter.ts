/** Bytes that a varint of Kafka's record format takes (zigzag, seven bits a byte). @param value a whole number from -1 to 2^30 - 1. */
export function sizeOfVarint(value: number): number {
  const zigzag = value < 0 ? 1 : value * 2;
  if (zigzag < 0x80) return 1;
  if (zigzag < 0x4000) return 2;
  if (zigzag < 0x20_0000) return 3;
  return zigzag < 0x1000_0000 ? 4 : 5;
}

/** Text or bytes as kafkajs takes them; null is written as length -1. */
export type Bytes = string | Buffer | null;

/** Bytes of content, without its length. */
export function lengthOf(content: Bytes): number {
  if (content === null) return 0;
  return typeof content === "string" ? Buffer.byteLength(content) : content.length;
}

/** Writes Kafka's primitive types, big-endian, one after another into a buffer that was measured before. */
export class ByteWriter {
  readonly buffer: Buffer;
  at = 0;

  /** @param bytes all that will be written, exactly. */
  constructor(bytes: number) {
    this.buffer = Buffer.allocUnsafe(bytes);
  }

  int8(value: number): void {
    this.buffer[this.at++] = value;
  }

  int16(value: number): void {
    this.at = this.buffer.writeInt16BE(value, this.at);
  }

  int32(value: number): void {
    this.at = this.buffer.writeInt32BE(value, this.at);
  }

  int64(value: bigint): void {
    this.at = this.buffer.writeBigInt64BE(value, this.at);
  }

  varint(value: number): void {
    let rest = value < 0 ? 1 : value * 2;
    while (rest >= 0x80) {
      this.buffer[this.at++] = (rest & 0x7f) | 0x80;
      rest >>>= 7;
    }
    this.buffer[this.at++] = rest;
  }

  /** Writes the length as a varint, then the content. @param length `lengthOf(content)`, measured before. */
  varintBytes(content: Bytes, length: number): void {
    this.varint(content === null ? -1 : length);
    if (content !== null) this.raw(content);
  }

  /** Writes a text behind its length as an int16; null is length -1. */
  string(text: string | null): void {
    this.int16(text === null ? -1 : Buffer.byteLength(text));
    if (text !== null) this.raw(text);
  }

  raw(content: string | Buffer): void {
    this.at += typeof content === "string" ? this.buffer.write(content, this.at) : content.copy(this.buffer, this.at);
  }
}
