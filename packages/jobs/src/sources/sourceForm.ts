import { jsonBeginning } from "@headwater/kernel/text";
import type { AskHost } from "@headwater/sandbox/serve";
import { type Compression, compressionOf, isParquet, unpacked } from "./compression.ts";
import { detectEncoding, knownEncoding, type Marked, markOf, toUtf8, Utf8Check, utf16Of } from "./encoding.ts";
import { HostFile } from "./hostFile.ts";
import { linesOfArray } from "./jsonArray.ts";
import { openParquet } from "./parquet/parquetText.ts";
import { UTF_8 } from "./row.ts";
import { SourceRefused } from "./sourceRefused.ts";
import { csvOfWorkbook, WORKBOOK_BYTES_MAX } from "./workbook.ts";

const OTHER_KINDS: readonly { readonly magic: Buffer; readonly what: string }[] = [
  { magic: Buffer.from("%PDF-"), what: "a PDF document" },
  { magic: Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]), what: "an old Office file, such as .xls" },
  { magic: Buffer.from("{\\rtf"), what: "an RTF document" },
  { magic: Buffer.from("PK\u0003\u0004"), what: "a zip archive" },
  { magic: Buffer.from("PK\u0005\u0006"), what: "an empty zip archive" },
  { magic: Buffer.from([0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c]), what: "a 7-Zip archive" },
  { magic: Buffer.from("Rar!"), what: "a RAR archive" },
  { magic: Buffer.from("BZh"), what: "packed by bzip2" },
  { magic: Buffer.from([0xfd, 0x37, 0x7a, 0x58, 0x5a]), what: "packed by xz" },
  { magic: Buffer.from("SQLite format 3\0"), what: "an SQLite database" },
  { magic: Buffer.from("Obj\u0001"), what: "an Avro file" },
  { magic: Buffer.from([0x89, 0x50, 0x4e, 0x47]), what: "a PNG image" },
  { magic: Buffer.from([0xff, 0xd8, 0xff]), what: "a JPEG image" },
  { magic: Buffer.from("GIF8"), what: "a GIF image" },
];

const MARKUP: readonly { readonly begins: string; readonly what: string }[] = [
  { begins: "<!doctype html", what: "an HTML page" },
  { begins: "<html", what: "an HTML page" },
  { begins: "<table", what: "an HTML page" },
  { begins: "<!--", what: "an HTML page" },
  { begins: "<?xml", what: "an XML document" },
  { begins: "begin:vcard", what: "a vCard file" },
];

const MARKUP_CHARACTERS = 64;

const ZIP = Buffer.from("PK\u0003\u0004");

/** Packing and writing of a source. */
export type SourceForm = { readonly compression: Compression } & (
  | { readonly kind: "parquet" }
  /** A zip archive, which is a workbook or nothing that can be imported. */
  | { readonly kind: "workbook" }
  | {
      readonly kind: "text";
      readonly encoding: string;
      /** Set where the text is one array of JSON. */
      readonly isArray?: boolean;
      /** Kind of the file, where it holds no rows of text. */
      readonly foreign?: string;
      /** Bytes of its mark. */
      readonly markBytes: number;
    }
);

const HEAD_BYTES = 64 * 1024;

/** Finds how a source is packed and written. @param input the encoding that the import names. @throws SourceRefused for what cannot be read. */
export async function findForm(file: HostFile, input: string | undefined): Promise<SourceForm> {
  const compression = compressionOf(await headOf(file.read(0, Math.min(file.bytes, HEAD_BYTES))));
  const read = () => unpacked(file.read(), { compression, packedBytes: file.bytes });
  const head = await headOf(read());
  if (isParquet(head)) return { kind: "parquet", compression };
  if (isZip(head)) return { kind: "workbook", compression };
  const foreign = foreignKind(head);
  return {
    ...{ kind: "text", compression },
    ...(await encodingOf(head, read, input)),
    ...(jsonBeginning(head) === "array" && { isArray: true }),
    ...(foreign !== undefined && { foreign }),
  };
}

/** Decides the encoding: what is given wins, then a mark, then UTF-8 if all of the text is, then the detector. */
async function encodingOf(
  head: Buffer,
  read: () => AsyncIterable<Buffer>,
  provided: string | undefined,
): Promise<Marked> {
  const mark = markOf(head);
  if (provided !== undefined) {
    const encoding = knownEncoding(provided);
    return { encoding, markBytes: mark?.encoding === encoding ? mark.markBytes : 0 };
  }
  if (mark !== undefined) return mark;
  const utf16 = utf16Of(head);
  if (utf16 !== undefined) return { encoding: utf16, markBytes: 0 };
  const check = new Utf8Check();
  for await (const chunk of read()) {
    check.add(chunk);
    if (check.sample !== undefined) break;
  }
  check.end();
  return { encoding: check.sample === undefined ? UTF_8 : detectEncoding(check.sample), markBytes: 0 };
}

async function headOf(bytes: AsyncIterable<Buffer>): Promise<Buffer> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const chunk of bytes) {
    parts.push(chunk);
    length += chunk.length;
    if (length >= HEAD_BYTES) break;
  }
  return Buffer.concat(parts).subarray(0, HEAD_BYTES);
}

/** A source that is read from its beginning to its end. */
export interface PackedText {
  readonly bytes: number;
  readonly compression: Compression;
  /** Absent: its bytes stay as they are. */
  readonly encoding?: string;
  /** Its elements become lines. */
  readonly isArray?: boolean;
}

/** Reads a source as plain bytes or, where it has an encoding, as text. @throws SourceRefused for what is damaged or a bomb. */
export function readPlain(
  { bytes, compression, encoding, isArray = false }: PackedText,
  ask: AskHost,
): AsyncIterable<string | Buffer> {
  const plain = unpacked(new HostFile(bytes, ask).read(), { compression, packedBytes: bytes });
  if (encoding === undefined) return plain;
  const text = toUtf8(plain, encoding);
  return isArray ? linesOfArray(text) : text;
}

/** A workbook with the way in which its numbers are to be written. */
export interface PackedWorkbook {
  readonly bytes: number;
  readonly compression: Compression;
  readonly decimal: "." | ",";
}

/** Reads the first sheet of a workbook as csv. @throws SourceRefused for what is damaged, a bomb or no workbook. */
export async function* readWorkbook(
  { bytes, compression, decimal }: PackedWorkbook,
  ask: AskHost,
): AsyncGenerator<string> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const chunk of unpacked(new HostFile(bytes, ask).read(), { compression, packedBytes: bytes })) {
    length += chunk.length;
    if (length > WORKBOOK_BYTES_MAX)
      throw new SourceRefused(`The workbook exceeds ${WORKBOOK_BYTES_MAX} bytes: export a csv.`);
    parts.push(chunk);
  }
  yield* csvOfWorkbook(new Uint8Array(Buffer.concat(parts)), decimal);
}

/** Reads all text of a source. @throws SourceRefused, as `findForm` and `openParquet` do. */
export async function* readText(bytes: number, form: SourceForm, ask: AskHost): AsyncGenerator<string> {
  if (form.kind === "parquet") {
    yield* (await openParquet(new HostFile(bytes, ask))).text;
    return;
  }
  if (form.kind === "workbook") {
    yield* readWorkbook({ bytes, compression: form.compression, decimal: "." }, ask);
    return;
  }
  const { compression, encoding } = form;
  const plain = unpacked(new HostFile(bytes, ask).read(), { compression, packedBytes: bytes });
  yield* toUtf8(plain, encoding);
}

/** Returns what a file is that holds no rows of text, by how it begins; undefined for any other. */
export function foreignKind(head: Buffer): string | undefined {
  const known = OTHER_KINDS.find(({ magic }) => head.subarray(0, magic.length).equals(magic));
  if (known !== undefined) return known.what;
  const text = head
    .toString("utf8", 0, MARKUP_CHARACTERS)
    .replace(/^\uFEFF/, "")
    .trimStart()
    .toLowerCase();
  return MARKUP.find(({ begins }) => text.startsWith(begins))?.what;
}

/** Returns whether a file is a zip archive, as workbooks of spreadsheets are. */
function isZip(head: Buffer): boolean {
  return head.subarray(0, ZIP.length).equals(ZIP);
}
