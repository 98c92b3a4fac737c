/** Confluent wire format: one zero byte, the schema id as a big-endian int32, the value. */
const MAGIC = 0;
const HEADER_BYTES = 5;

export type WireHead =
  | { readonly kind: "head"; readonly schemaId: number }
  | { readonly kind: "bad"; readonly reason: string };

/** The value's text in UTF-8 behind its five bytes of header. */
export function toWire(schemaId: number, text: string): Buffer {
  const buffer = Buffer.allocUnsafe(HEADER_BYTES + Buffer.byteLength(text));
  buffer[0] = MAGIC;
  buffer.writeInt32BE(schemaId, 1);
  buffer.write(text, HEADER_BYTES, "utf8");
  return buffer;
}

export function readHead(value: Buffer): WireHead {
  if (value.length <= HEADER_BYTES) {
    return { kind: "bad", reason: `a value of ${value.length} bytes is too short to be ours` };
  }
  if (value[0] !== MAGIC) {
    return { kind: "bad", reason: `the first byte is ${value[0]}, not the 0 of the registry's format` };
  }
  return { kind: "head", schemaId: value.readInt32BE(1) };
}

/** The JSON text of a value in wire format. */
export function textOf(value: Buffer): string {
  return value.toString("utf8", HEADER_BYTES);
}

const SCHEMA_MEMBER = '{"schema":"';
const SCHEMA_NAME_BYTES_MAX = 120;
const QUOTE = 0x22;

/** Returns what the member `schema` says in a value that begins with it, as frames do; undefined for other values. */
export function readSchemaName(value: Buffer): string | undefined {
  const start = HEADER_BYTES + SCHEMA_MEMBER.length;
  if (value.toString("latin1", HEADER_BYTES, start) !== SCHEMA_MEMBER) return undefined;
  const end = value.subarray(start, start + SCHEMA_NAME_BYTES_MAX).indexOf(QUOTE);
  return end < 0 ? undefined : value.toString("latin1", start, start + end);
}

/**
 * The text of a frame from the texts of its records, each of which was serialised once, by intake. `schema` stays true when the
 * registry is lost: a schema id means something in one registry alone.
 */
export function frameText(schema: string, account: string, recordTexts: readonly string[]): string {
  return `{"schema":${JSON.stringify(schema)},"account":${JSON.stringify(account)},"records":[${recordTexts.join(",")}]}`;
}
