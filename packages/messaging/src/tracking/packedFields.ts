/** Writes the fields of a token one after the other. */
export class FieldWriter {
  readonly #parts: Buffer[] = [];
  #bytes: number[] = [];

  byte(value: number): this {
    this.#bytes.push(value);
    return this;
  }

  /** @param value a whole number from 0 to 2^53 - 1, in groups of seven bits. */
  number(value: number): this {
    if (!Number.isSafeInteger(value) || value < 0) throw new RangeError("a token holds whole numbers from 0");
    let rest = value;
    while (rest > 127) {
      this.#bytes.push((rest % 128) + 128);
      rest = Math.floor(rest / 128);
    }
    this.#bytes.push(rest);
    return this;
  }

  text(value: string): this {
    const bytes = Buffer.from(value, "utf8");
    return this.number(bytes.length).raw(bytes);
  }

  raw(bytes: Buffer): this {
    this.#parts.push(Buffer.from(this.#bytes), bytes);
    this.#bytes = [];
    return this;
  }

  end(): Buffer {
    return Buffer.concat([...this.#parts, Buffer.from(this.#bytes)]);
  }
}

/** Reads fields in the order in which they were written. A read past the end throws a RangeError. */
export class FieldReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length;
  }

  byte(): number {
    return this.#bytes.readUInt8(this.#at++);
  }

  number(): number {
    let value = 0;
    for (let factor = 1; factor < Number.MAX_SAFE_INTEGER; factor *= 128) {
      const byte = this.byte();
      value += (byte % 128) * factor;
      if (byte < 128) return value;
    }
    throw new RangeError("a number of a token has too many bytes");
  }

  text(): string {
    return this.raw(this.number()).toString("utf8");
  }

  raw(length: number): Buffer {
    if (this.#at + length > this.#bytes.length) throw new RangeError("a field of a token is cut off");
    this.#at += length;
    return this.#bytes.subarray(this.#at - length, this.#at);
  }
}

const HEX_ID = /^[0-9a-f]{24}$/;
const HEX_BYTES = 12;
const PERIOD = /^([\s\S]*):(?:d([0-9]{6})|h([0-9]{8}))$/;

/** Ids of 24 hex digits take twelve bytes, others their text. */
const idForms = { text: 0, hex: 1 } as const;
const periodForms = { none: 0, day: 2, hour: 4 } as const;

/** Writes the id of a message, which may end in the period of a child: `:d260131` or `:h26013109`. */
export function writeId(writer: FieldWriter, id: string): void {
  const [, base = id, day, hour] = PERIOD.exec(id) ?? [];
  const isHex = HEX_ID.test(base);
  const period = day !== undefined ? periodForms.day : hour !== undefined ? periodForms.hour : periodForms.none;
  writer.byte((isHex ? idForms.hex : idForms.text) + period);
  if (isHex) writer.raw(Buffer.from(base, "hex"));
  else writer.text(base);
  if (period !== periodForms.none) writer.number(Number(day ?? hour));
}

export function readId(reader: FieldReader): string {
  const form = reader.byte();
  const base = form % 2 === idForms.hex ? reader.raw(HEX_BYTES).toString("hex") : reader.text();
  switch (form - (form % 2)) {
    case periodForms.day:
      return `${base}:d${String(reader.number()).padStart(6, "0")}`;
    case periodForms.hour:
      return `${base}:h${String(reader.number()).padStart(8, "0")}`;
    default:
      return base;
  }
}
