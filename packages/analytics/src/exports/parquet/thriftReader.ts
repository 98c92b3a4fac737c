/** Reads the compact protocol of Thrift, in which the footer of Parquet is written. */
export interface ThriftReader {
  /** Position of the next byte. */
  readonly at: number;
  /** Calls `onField` at the value of each field of a struct; a field that it does not read, which it says by `false`, is passed over. */
  struct(onField: (id: number, type: number) => boolean): void;
  /** Calls `onElement` at each element of a list. */
  list(onElement: () => void): void;
  /** Passes over a zigzag number. @returns its value. */
  number(): number;
}

const TYPES = { stop: 0, true: 1, false: 2, byte: 3, double: 7, binary: 8, list: 9, set: 10, struct: 12 } as const;
const LONG_SIZE = 15;
const DOUBLE_BYTES = 8;

/** @throws RangeError when the bytes end before what they say. */
export function createThriftReader(bytes: Buffer): ThriftReader {
  return new CompactReader(bytes);
}

class CompactReader implements ThriftReader {
  at = 0;
  readonly #bytes: Buffer;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  struct(onField: (id: number, type: number) => boolean): void {
    for (let id = 0; ; ) {
      const header = this.#byte();
      const type = header & 0x0f;
      if (type === TYPES.stop) return;
      const step = header >> 4;
      id = step === 0 ? this.number() : id + step;
      if (!onField(id, type)) this.#skip(type);
    }
  }

  list(onElement: () => void): void {
    this.#elements(() => onElement());
  }

  number(): number {
    const plain = this.#varint();
    return plain % 2 === 0 ? plain / 2 : -(plain + 1) / 2;
  }

  #elements(onElement: (type: number) => void): void {
    const header = this.#byte();
    const size = header >> 4 === LONG_SIZE ? this.#varint() : header >> 4;
    for (let index = 0; index < size; index += 1) onElement(header & 0x0f);
  }

  #skip(type: number, isElement = false): void {
    switch (type) {
      case TYPES.true:
      case TYPES.false:
        // The header of a field says it; an element has a byte.
        this.at += isElement ? 1 : 0;
        break;
      case TYPES.byte:
        this.at += 1;
        break;
      case TYPES.double:
        this.at += DOUBLE_BYTES;
        break;
      case TYPES.binary: {
        const length = this.#varint();
        this.at += length;
        break;
      }
      case TYPES.list:
      case TYPES.set:
        this.#elements((element) => this.#skip(element, true));
        break;
      case TYPES.struct:
        this.struct(() => false);
        break;
      default:
        this.#varint();
    }
  }

  #byte(): number {
    const byte = this.#bytes.readUInt8(this.at);
    this.at += 1;
    return byte;
  }

  #varint(): number {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = this.#byte();
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value;
    }
  }
}
