/* Writes small Parquet files of numbers, whose claims tests forge. */

const varint = (value: number): Buffer => {
  const bytes: number[] = [];
  let left = value;
  for (; left >= 128; left = Math.floor(left / 128)) bytes.push((left % 128) | 0x80);
  return Buffer.from([...bytes, left]);
};
const zigzag = (value: number) => varint(value < 0 ? -2 * value - 1 : 2 * value);
const header = (delta: number, type: number) => Buffer.from([(delta << 4) | type]);
const listHeader = (delta: number, size: number, type: number) =>
  Buffer.concat([header(delta, 9), Buffer.from([0xf0 | type]), varint(size)]);
const int = (delta: number, value: number, type = 5) => Buffer.concat([header(delta, type), zigzag(value)]);
const long = (delta: number, value: number) => int(delta, value, 6);
const text = (value: string) => Buffer.concat([varint(Buffer.byteLength(value)), Buffer.from(value)]);
const STOP = Buffer.from([0]);
const struct = (...fields: Buffer[]) => Buffer.concat([...fields, STOP]);

/** Pieces of Thrift's compact protocol. */
export const thrift = { varint, listHeader };

export function bytesOfInts(values: readonly number[]): Buffer {
  return Buffer.from(Int32Array.from(values).buffer);
}

export interface PageOf {
  /** 0: data, 2: dictionary. */
  readonly type: 0 | 2;
  readonly body: Buffer;
  readonly values: number;
  /** 0: plain, 8: by the dictionary. */
  readonly encoding?: number;
  readonly plainBytes?: number;
  readonly packedBytes?: number;
}

export function page({ type, body, values, encoding = 0, plainBytes, packedBytes }: PageOf): Buffer {
  const own = struct(int(1, values), int(1, encoding), ...(type === 0 ? [int(1, 3), int(1, 3)] : []));
  const sizes = [int(1, type), int(1, plainBytes ?? body.length), int(1, packedBytes ?? body.length)];
  // Fields 5 and 7 hold what is of their type alone.
  return Buffer.concat([struct(...sizes, header(type === 0 ? 2 : 4, 12), own), body]);
}

export interface ColumnOf {
  readonly name: string;
  readonly pages: readonly Buffer[];
  readonly values: number;
}

/** A column of plain numbers, one a row. */
export function column({ name, values }: { readonly name: string; readonly values: readonly number[] }): ColumnOf {
  return { name, pages: [page({ type: 0, body: bytesOfInts(values), values: values.length })], values: values.length };
}

export interface FileParts {
  /** Pages of a column `n`, where there are no columns. */
  readonly pages?: readonly Buffer[];
  readonly columns?: readonly ColumnOf[];
  readonly values: number;
  readonly rows?: number;
  readonly groupBytes?: number;
  readonly codec?: number;
  readonly pageOffset?: number;
  /** Bytes that are left between the columns; default 0. */
  readonly gapBytes?: number;
  readonly children?: number;
  readonly isOptional?: boolean;
  readonly isRepeated?: boolean;
  readonly footer?: Buffer;
}

const MAGIC = Buffer.from("PAR1");

export function fileOf({ pages = [], values, rows = values, codec = 0, ...more }: FileParts): Buffer {
  const columns = more.columns ?? [{ name: "n", pages, values }];
  const repetition = more.isRepeated === true ? 2 : more.isOptional === true ? 1 : 0;
  const root = struct(header(4, 8), text("root"), int(1, more.children ?? columns.length));
  const leaves = columns.map(({ name }) => struct(int(1, 1), int(2, repetition), header(1, 8), text(name)));
  let at = MAGIC.length;
  const chunks = columns.map((of) => {
    const bytes = Buffer.concat(of.pages);
    const offset = more.pageOffset ?? at;
    at += bytes.length + (more.gapBytes ?? 0);
    const isFirstDictionary = of.pages.length > 1 && of.pages[0]?.[1] === 4;
    const meta = struct(
      int(1, 1),
      ...[listHeader(1, 1, 5), zigzag(0), listHeader(1, 1, 8), text(of.name), int(1, codec)],
      ...[long(1, of.values), long(1, bytes.length), long(1, bytes.length)],
      ...[long(2, isFirstDictionary ? offset + (of.pages[0]?.length ?? 0) : offset)],
      ...(isFirstDictionary ? [long(2, offset)] : []),
    );
    return struct(long(2, offset), header(1, 12), meta);
  });
  const group = struct(listHeader(1, chunks.length, 12), ...chunks, long(1, more.groupBytes ?? at), long(1, rows));
  const footer =
    more.footer ??
    struct(
      int(1, 1),
      ...[listHeader(1, leaves.length + 1, 12), root, ...leaves],
      ...[long(1, rows), listHeader(1, 1, 12), group],
    );
  const length = Buffer.alloc(4);
  length.writeUInt32LE(footer.length);
  const gap = Buffer.alloc(more.gapBytes ?? 0, 0xff);
  return Buffer.concat([MAGIC, ...columns.flatMap((of) => [...of.pages, gap]), footer, length, MAGIC]);
}

/** Claims of a file of the numbers 1, 2 and 3. */
export interface ParquetParts extends Omit<FileParts, "values" | "pages" | "columns"> {
  readonly pageValues: number;
  readonly chunkValues: number;
  readonly plainBytes: number;
  readonly packedBytes: number;
}

export function simpleFile({ pageValues = 3, chunkValues = 3, ...more }: Partial<ParquetParts>): Buffer {
  const { plainBytes, packedBytes, ...parts } = more;
  const sizes = { ...(plainBytes !== undefined && { plainBytes }), ...(packedBytes !== undefined && { packedBytes }) };
  const data = page({ type: 0, body: bytesOfInts([1, 2, 3]), values: pageValues, ...sizes });
  return fileOf({ rows: 3, ...parts, pages: [data], values: chunkValues });
}
