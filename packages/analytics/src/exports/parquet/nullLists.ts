import { HeadwaterError } from "@headwater/kernel";
import { createThriftReader, type ThriftReader } from "./thriftReader.ts";

/** The footer has about 150 bytes for each column of each 250,000 rows: so much is some 100 columns of 250,000,000 rows. */
const FOOTER_BYTES_MAX = 16 * 1024 * 1024;
/** Length of the footer, and the four bytes that end the file. */
const TRAILER_BYTES = 8;

/**
 * Rewrites the schema of a Parquet file that ClickHouse writes, so that its lists may be null. ClickHouse has no nullable arrays: it writes
 * a required list of optional elements, whose levels are 0 without an element, 1 for a null one and 2 for any other. Those of an optional
 * list of required elements are 0 for no list, 1 for an empty one and 2 for an element. So the same bytes under the other schema say null
 * for a list without elements, and empty for one whose only element is null.
 * @param lists columns that are lists.
 * @throws HeadwaterError `EXPORT_CONFIGURATION_ERROR` when the footer is larger than is held in memory.
 */
export async function* withNullLists(file: AsyncIterable<Uint8Array>, lists: number): AsyncGenerator<Uint8Array> {
  const held: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of file) {
    held.push(chunk);
    length += chunk.length;
    for (let [first] = held; first !== undefined && length - first.length >= FOOTER_BYTES_MAX; [first] = held) {
      held.shift();
      length -= first.length;
      yield first;
    }
  }
  const end = Buffer.concat(held, length);
  markLists(footerOf(end), lists);
  yield end;
}

function footerOf(end: Buffer): Buffer {
  const last = end.length - TRAILER_BYTES;
  const from = last - (last < 0 ? 0 : end.readUInt32LE(last));
  if (last < 0) throw new Error("the file has no footer");
  if (from < 0) throw tooLarge();
  return end.subarray(from, last);
}

function tooLarge(): HeadwaterError {
  const publicMessage =
    "The file has too many columns for its rows. Export fewer columns, or set `limitRecordsPerFile`.";
  return new HeadwaterError({ code: "EXPORT_CONFIGURATION_ERROR", status: 422, publicMessage });
}

/** Numbers of fields in the Thrift definition of Parquet. */
const SCHEMA = 2;
const REPETITION = 3;
const CHILDREN = 5;
/** Repetition types as their one byte. */
const REQUIRED = 0x00;
const OPTIONAL = 0x02;
const REPEATED = 0x04;

interface Element {
  /** The index of its repetition type. */
  readonly at: number | undefined;
  readonly children: number;
}

/** Makes each list of the schema optional and its elements required. */
function markLists(footer: Buffer, expected: number): void {
  const elements = readSchema(footer);
  let lists = 0;
  for (const [index, { at, children }] of elements.entries()) {
    // The root has no repetition; a group of one below it is a list, which a repeated group and its element follow.
    if (at === undefined || children !== 1 || footer[at] === REPEATED) continue;
    const element = elements[index + 2];
    if (footer[at] !== REQUIRED || element?.at === undefined || footer[element.at] !== OPTIONAL)
      throw new Error("a list has an unknown schema");
    footer[at] = OPTIONAL;
    footer[element.at] = REQUIRED;
    lists += 1;
  }
  if (lists !== expected) throw new Error(`the schema has ${lists} lists, not ${expected}`);
}

function readSchema(footer: Buffer): Element[] {
  const reader = createThriftReader(footer);
  const elements: Element[] = [];
  reader.struct((id) => {
    if (id !== SCHEMA) return false;
    reader.list(() => elements.push(readElement(reader)));
    return true;
  });
  return elements;
}

function readElement(reader: ThriftReader): Element {
  let at: number | undefined;
  let children = 0;
  reader.struct((id) => {
    if (id === REPETITION) at = reader.at;
    if (id === CHILDREN) children = reader.number();
    return id === CHILDREN;
  });
  return { at, children };
}
