import type { AsyncBuffer, RowGroup } from "hyparquet";
import type { HostFile } from "../hostFile.ts";
import { type ChunkClaim, checkPageIndex, checkPages, claimOf } from "./parquetClaims.ts";
import { claimsTooMuch, damaged, parquetLimits } from "./parquetRefusals.ts";

export interface OfGroup {
  readonly group: RowGroup;
  /** Names of columns whose rows have one value each. */
  readonly flat: ReadonlySet<string>;
}

interface Range {
  readonly start: number;
  /** Not included. */
  readonly end: number;
}

interface Chunk extends Range {
  readonly claim: ChunkClaim;
}

/** An index of pages, with the column chunk whose pages it locates. */
interface PageIndex extends Range {
  readonly chunk: Range;
}

/**
 * Bytes of one row group, as the reader asks for them. Everything that it asks for is checked as what it takes it for: column chunks and
 * indexes of pages do not overlap, and an index locates pages of its own chunk only. Column chunks are kept while their group is read: a group
 * without an index of its pages is asked for as a whole again and again.
 */
export class RowGroupBytes implements AsyncBuffer {
  readonly byteLength: number;
  readonly #file: HostFile;
  /** Column chunks, sorted by their position in the file. */
  readonly #chunks: readonly Chunk[];
  readonly #indexes: ReadonlyMap<string, PageIndex>;
  readonly #read = new Map<string, Promise<ArrayBuffer>>();
  /** The file is read at one position at a time. */
  #last: Promise<unknown> = Promise.resolve();

  /** @throws SourceRefused for column chunks or indexes that overlap. */
  constructor(file: HostFile, { group, flat }: OfGroup) {
    this.#file = file;
    this.byteLength = file.bytes;
    const chunks = chunksOf(group, flat);
    const indexes = indexesOf(group, chunks);
    checkApart([...chunks, ...indexes]);
    this.#chunks = chunks.toSorted(byPosition);
    this.#indexes = new Map(indexes.map((index) => [keyOf(index), index]));
  }

  slice(start: number, end: number = this.byteLength): Promise<ArrayBuffer> {
    const range = { start, end };
    const known = this.#read.get(keyOf(range));
    if (known !== undefined) return known;
    // One that failed fails those behind it as well: the group is refused as a whole.
    const reading = this.#last.then(() => this.#checked(range));
    this.#last = reading;
    // Pages that an index locates are asked for once.
    if (!this.#isPartOfChunk(range)) this.#read.set(keyOf(range), reading);
    return reading;
  }

  async #checked(range: Range): Promise<ArrayBuffer> {
    const { start, end } = range;
    if (!(start >= 0 && end >= start && end <= this.byteLength)) throw damaged();
    if (end - start > parquetLimits.groupBytes) throw claimsTooMuch("groupBytes");
    const bytes = await this.#file.slice(start, end);
    const index = this.#indexes.get(keyOf(range));
    if (index !== undefined) checkPageIndex(bytes, index.chunk);
    else if (this.#isPartOfChunk(range)) checkPages(bytes);
    else this.#checkChunks(bytes, range);
    return bytes.buffer;
  }

  #isPartOfChunk(range: Range): boolean {
    const chunk = this.#chunks[countUpTo(this.#chunks, range.start) - 1];
    return chunk !== undefined && range.end <= chunk.end && keyOf(range) !== keyOf(chunk);
  }

  /** Small column chunks that follow one another are read at once, with whatever the writer left between them. */
  #checkChunks(bytes: Uint8Array, range: Range): void {
    const chunks = this.#chunks.slice(countUpTo(this.#chunks, range.start - 1), countUpTo(this.#chunks, range.end - 1));
    if (chunks.at(0)?.start !== range.start || chunks.at(-1)?.end !== range.end) throw damaged();
    for (const { start, end, claim } of chunks) {
      checkPages(bytes.subarray(start - range.start, end - range.start), claim);
    }
  }
}

function chunksOf({ columns, num_rows: rows }: RowGroup, flat: ReadonlySet<string>): Chunk[] {
  return columns.flatMap((column) => {
    const meta = column.meta_data;
    if (meta === undefined) return [];
    const start = Number(meta.dictionary_page_offset || meta.data_page_offset);
    const [name = "", ...inner] = meta.path_in_schema;
    const isFlat = inner.length === 0 && flat.has(name);
    return [{ start, end: start + Number(meta.total_compressed_size), claim: claimOf(column, Number(rows), isFlat) }];
  });
}

/** @param chunks of the same columns, one each. */
function indexesOf({ columns }: RowGroup, chunks: readonly Chunk[]): PageIndex[] {
  return columns.flatMap(({ offset_index_offset: offset, offset_index_length: length }, column) => {
    const chunk = chunks[column];
    if (offset === undefined || length === undefined || chunk === undefined) return [];
    return [{ start: Number(offset), end: Number(offset) + length, chunk }];
  });
}

function checkApart(ranges: readonly Range[]): void {
  let last = 0;
  for (const { start, end } of ranges.toSorted(byPosition)) {
    if (!(start >= last && end >= start)) throw damaged();
    last = end;
  }
}

function byPosition(one: Range, other: Range): number {
  return one.start - other.start || one.end - other.end;
}

/** Returns how many ranges start at a position or before it. */
function countUpTo(ranges: readonly Range[], position: number): number {
  let [low, high] = [0, ranges.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ranges[middle]?.start ?? 0) <= position) low = middle + 1;
    else high = middle;
  }
  return low;
}

function keyOf({ start, end }: Range): string {
  return `${start} ${end}`;
}
