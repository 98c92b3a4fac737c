import { damaged } from "./parquetRefusals.ts";

const TYPES = {
  stop: 0,
  true: 1,
  false: 2,
  byte: 3,
  i16: 4,
  i32: 5,
  i64: 6,
  double: 7,
  binary: 8,
  list: 9,
  struct: 12,
} as const;
const LONG_SIZE = 15;
const DOUBLE_BYTES = 8;
/** Bytes of a number of 64 bits. */
const VARINT_BYTES_MAX = 10;
/** Structs and lists within one another: Parquet needs fewer than ten. */
const LEVELS_MAX = 32;

export interface ThriftBounds {
  /** Fields and elements that it may have; what is beyond calls `tooMany`. */
  readonly valuesMax: number;
  readonly tooMany: () => Error;
  /** Called at each number, with the ids of the fields that lead to it. Elements of lists have the id of their list. */
  readonly onNumber?: (path: readonly number[], value: number) => void;
}

/**
 * Counts what a struct of Thrift's compact protocol holds, before a parser builds any of it. Lists have to fit into the bytes that follow.
 * @returns the position behind it.
 * @throws SourceRefused for what ends too early, nests too deeply, or has too many values.
 */
export function scanThrift(bytes: Uint8Array, from: number, bounds: ThriftBounds): number {
  const scan = new ThriftScan(bytes, from, bounds);
  scan.struct(1);
  return scan.at;
}

class ThriftScan {
  at: number;
  readonly #bytes: Uint8Array;
  readonly #bounds: ThriftBounds;
  readonly #path: number[] = [];
  #values = 0;

  constructor(bytes: Uint8Array, from: number, bounds: ThriftBounds) {
    this.#bytes = bytes;
    this.at = from;
    this.#bounds = bounds;
  }

  struct(level: number): void {
    if (level > LEVELS_MAX) throw damaged();
    for (let id = 0; ; ) {
      const header = this.#byte();
      const type = header & 0x0f;
      if (type === TYPES.stop) return;
      const step = header >> 4;
      id = step === 0 ? this.#number() : id + step;
      this.#path.push(id);
      if (type !== TYPES.true && type !== TYPES.false) this.#value(type, level);
      this.#count();
      this.#path.pop();
    }
  }

  #value(type: number, level: number): void {
    switch (type) {
      case TYPES.byte:
        this.#pass(1);
        return;
      case TYPES.i16:
      case TYPES.i32:
      case TYPES.i64: {
        const value = this.#number();
        this.#bounds.onNumber?.(this.#path, value);
        return;
      }
      case TYPES.double:
        this.#pass(DOUBLE_BYTES);
        return;
      case TYPES.binary:
        this.#pass(this.#varint());
        return;
      case TYPES.list:
        this.#list(level + 1);
        return;
      case TYPES.struct:
        this.struct(level + 1);
        return;
      default:
        // Parquet has no sets, maps or other types.
        throw damaged();
    }
  }

  #list(level: number): void {
    if (level > LEVELS_MAX) throw damaged();
    const header = this.#byte();
    const size = header >> 4 === LONG_SIZE ? this.#varint() : header >> 4;
    const type = header & 0x0f;
    // An element takes a byte at least.
    if (size > this.#bytes.length - this.at) throw damaged();
    for (let index = 0; index < size; index += 1) {
      this.#value(type === TYPES.true || type === TYPES.false ? TYPES.byte : type, level);
      this.#count();
    }
  }

  #count(): void {
    this.#values += 1;
    if (this.#values > this.#bounds.valuesMax) throw this.#bounds.tooMany();
  }

  #pass(bytes: number): void {
    this.at += bytes;
    if (this.at > this.#bytes.length) throw damaged();
  }

  #byte(): number {
    const byte = this.#bytes[this.at];
    if (byte === undefined) throw damaged();
    this.at += 1;
    return byte;
  }

  #number(): number {
    const plain = this.#varint();
    return plain % 2 === 0 ? plain / 2 : -(plain + 1) / 2;
  }

  #varint(): number {
    let value = 0;
    let factor = 1;
    for (let read = 0; read < VARINT_BYTES_MAX; read += 1) {
      const byte = this.#byte();
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value;
      factor *= 128;
    }
    throw damaged();
  }
}
