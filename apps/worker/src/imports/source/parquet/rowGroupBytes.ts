import type { AsyncBuffer, RowGroup } from "hyparquet";
import type { HostFile } from "../hostFile.ts";
import { type ChunkClaim, checkPageIndex, checkPages, claimOf } from "./parquetClaims.ts";
import { claimsTooMuch, damaged, parquetLimits } from "./parquetRefusals.ts";

export interface OfGroup {
  readonly group: RowGroup;
  /** Names of columns whose rows have one value each. */
  readonly flat: ReadonlySet<string>;
}

/**
 * Bytes of one row group, as the reader asks for them. The headers of pages are checked before it sees any. Column chunks are kept while their
 * group is read: a group without an index of its pages is asked for as a whole again and again.
 */
export class RowGroupBytes implements AsyncBuffer {
  readonly byteLength: number;
  readonly #file: HostFile;
  readonly #chunks = new Map<string, ChunkClaim>();
  readonly #indexes = new Set<string>();
  readonly #read = new Map<string, Promise<ArrayBuffer>>();
  /** The file is read at one position at a time. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(file: HostFile, { group, flat }: OfGroup) {
    this.#file = file;
    this.byteLength = file.bytes;
    for (const chunk of group.columns) {
      const { offset_index_offset: index, offset_index_length: length = 0, meta_data: meta } = chunk;
      if (index !== undefined) this.#indexes.add(rangeOf(Number(index), Number(index) + length));
      if (meta === undefined) continue;
      const start = Number(meta.dictionary_page_offset || meta.data_page_offset);
      const [name = "", ...inner] = meta.path_in_schema;
      const isFlat = inner.length === 0 && flat.has(name);
      const range = rangeOf(start, start + Number(meta.total_compressed_size));
      this.#chunks.set(range, claimOf(chunk, Number(group.num_rows), isFlat));
    }
  }

  slice(start: number, end: number = this.byteLength): Promise<ArrayBuffer> {
    const range = rangeOf(start, end);
    const known = this.#read.get(range);
    if (known !== undefined) return known;
    // One that failed fails those behind it as well: the group is refused as a whole.
    const reading = this.#last.then(() => this.#checked(start, end));
    this.#last = reading;
    if (this.#chunks.has(range) || this.#indexes.has(range)) this.#read.set(range, reading);
    return reading;
  }

  async #checked(start: number, end: number): Promise<ArrayBuffer> {
    if (!(start >= 0 && end >= start && end <= this.byteLength)) throw damaged();
    if (end - start > parquetLimits.groupBytes) throw claimsTooMuch("groupBytes");
    const bytes = await this.#file.slice(start, end);
    const range = rangeOf(start, end);
    if (this.#indexes.has(range)) checkPageIndex(bytes);
    else checkPages(bytes, this.#chunks.get(range));
    return bytes.buffer;
  }
}

function rangeOf(start: number, end: number): string {
  return `${start} ${end}`;
}
