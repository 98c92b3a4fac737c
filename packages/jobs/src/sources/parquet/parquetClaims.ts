import type { ColumnChunk, FileMetaData, RowGroup } from "hyparquet";
import { claimsTooMuch, damaged, parquetLimits } from "./parquetRefusals.ts";
import { scanThrift } from "./thriftScan.ts";

/** Counts the values of a footer before it is parsed. @throws SourceRefused for too many, or for bytes that make no footer. */
export function checkFooter(footer: Uint8Array): void {
  scanThrift(footer, 0, { valuesMax: parquetLimits.footerValues, tooMany: () => claimsTooMuch("footerValues") });
}

/** Ids of fields in an index of pages, as `parquet.thrift` has them. */
const LOCATION = { list: 1, offset: 1, bytes: 2 } as const;

/**
 * Counts the values of an index of pages before it is parsed.
 * @param chunk range of the file that holds the pages.
 * @throws SourceRefused, as `checkFooter` does, and for an index without pages, or with pages outside of their column chunk.
 */
export function checkPageIndex(index: Uint8Array, chunk: { readonly start: number; readonly end: number }): void {
  let offset = -1;
  let pages = 0;
  scanThrift(index, 0, {
    valuesMax: parquetLimits.indexValues,
    tooMany: () => claimsTooMuch("indexValues"),
    onNumber([list, member, deeper], value) {
      if (list !== LOCATION.list || deeper !== undefined) return;
      if (member === LOCATION.offset) {
        offset = value;
        pages += 1;
        if (!(offset >= chunk.start && offset <= chunk.end)) throw damaged();
      } else if (member === LOCATION.bytes && !(value >= 0 && offset + value <= chunk.end)) throw damaged();
    },
  });
  if (pages === 0) throw damaged();
}

/** Checks what a footer claims of columns and row groups. @throws SourceRefused with the limit that it passes. */
export function checkClaims({ schema, row_groups: groups }: FileMetaData): void {
  const leaves = countLeaves(schema);
  if (leaves > parquetLimits.columns) throw claimsTooMuch("columns");
  if (groups.length > parquetLimits.rowGroups) throw claimsTooMuch("rowGroups");
  for (const group of groups) checkGroup(group, leaves);
}

/** Counts columns that hold values, without descending: a schema may nest as deeply as its footer is long. */
function countLeaves(schema: FileMetaData["schema"]): number {
  const open: number[] = [];
  let leaves = 0;
  for (const [index, { num_children: children = 0 }] of schema.entries()) {
    while (open.at(-1) === 0) open.pop();
    const left = open.pop();
    if (left === undefined && index > 0) throw damaged();
    if (left !== undefined) open.push(left - 1);
    if (children < 0 || children > schema.length) throw damaged();
    if (children === 0) leaves += 1;
    else open.push(children);
    if (open.length > parquetLimits.levels) throw claimsTooMuch("levels");
  }
  if (open.some((left) => left > 0)) throw damaged();
  return leaves;
}

function checkGroup(group: RowGroup, leaves: number): void {
  const { columns, num_rows: rows, total_byte_size: bytes } = group;
  if (columns.length !== leaves || !(rows >= 0) || !(bytes >= 0)) throw damaged();
  let packed = 0;
  let nested = 0;
  for (const { meta_data: meta } of columns) {
    if (meta === undefined || !(meta.total_compressed_size >= 0) || !(meta.num_values >= 0)) throw damaged();
    packed += Number(meta.total_compressed_size);
    if (meta.path_in_schema.length > 1) nested += Number(meta.num_values);
  }
  if (hasPageIndex(group)) return;
  if (bytes > parquetLimits.groupBytes || packed > parquetLimits.groupBytes) throw claimsTooMuch("groupBytes");
  if (nested > parquetLimits.nestedValues) throw claimsTooMuch("nestedValues");
}

/** Groups that are read in parts by their index of pages may be of any size; others are read as a whole. */
export function hasPageIndex({ columns }: RowGroup): boolean {
  return columns.every(({ offset_index_offset: offset, offset_index_length: length }) => {
    return offset !== undefined && offset > 0 && length !== undefined && length > 0;
  });
}

/** Claims of the footer about a column chunk whose pages are checked as a whole. */
export interface ChunkClaim {
  readonly values: number;
  readonly rows: number;
  /** Each row has one value, or misses it. */
  readonly isFlat: boolean;
}

export function claimOf({ meta_data: meta }: ColumnChunk, rows: number, isFlat: boolean): ChunkClaim {
  return { values: Number(meta?.num_values ?? 0), rows, isFlat };
}

/**
 * Walks over the headers of pages, without unpacking any.
 * @param claim absent for some pages of a chunk.
 * @throws SourceRefused for pages that pass a limit, do not lie one after another, or hold other values than the footer claims.
 */
export function checkPages(bytes: Uint8Array, claim?: ChunkClaim): void {
  let values = 0;
  // Some writers leave a byte behind the last page.
  for (let at = 0; at < bytes.length - 1; ) {
    const header = readPageHeader(bytes, at);
    at = header.end + header.packedBytes;
    if (header.packedBytes < 0 || header.plainBytes < 0 || header.values < 0 || at > bytes.length) throw damaged();
    if (header.plainBytes > parquetLimits.pageBytes) throw claimsTooMuch("pageBytes");
    if (header.values > parquetLimits.pageValues) throw claimsTooMuch("pageValues");
    if (!header.isDictionary) values += header.values;
  }
  if (claim === undefined) return;
  const isWhole = values === claim.values && (claim.isFlat ? values === claim.rows : values >= claim.rows);
  if (!isWhole) throw damaged();
}

interface PageHeader {
  readonly end: number;
  readonly plainBytes: number;
  readonly packedBytes: number;
  readonly values: number;
  readonly isDictionary: boolean;
}

/** Ids of fields in the header of a page, as `parquet.thrift` has them. */
const FIELD = { type: 1, plainBytes: 2, packedBytes: 3, data: 5, dictionary: 7, dataV2: 8 } as const;
const DICTIONARY_PAGE = 2;
const V2 = { values: 1, nulls: 2, definitionBytes: 5, repetitionBytes: 6 } as const;

function readPageHeader(bytes: Uint8Array, from: number): PageHeader {
  const found = new Map<number, number>();
  const inner = new Map<number, number>();
  const end = scanThrift(bytes, from, {
    valuesMax: parquetLimits.pageHeaderValues,
    tooMany: () => claimsTooMuch("pageHeaderValues"),
    onNumber([field = 0, member], value) {
      if (member === undefined) found.set(field, value);
      else if (member === V2.values) found.set(field, Math.max(value, found.get(field) ?? value));
      if (field === FIELD.dataV2 && member !== undefined) inner.set(member, value);
    },
  });
  const ofType = (field: number) => found.get(field) ?? 0;
  const packedBytes = found.get(FIELD.packedBytes) ?? -1;
  checkV2(inner, packedBytes);
  return {
    end,
    plainBytes: found.get(FIELD.plainBytes) ?? -1,
    packedBytes,
    values: Math.max(ofType(FIELD.data), ofType(FIELD.dictionary), ofType(FIELD.dataV2)),
    isDictionary: found.get(FIELD.type) === DICTIONARY_PAGE,
  };
}

/** Checks the counts that a page of the second version has besides. */
function checkV2(inner: ReadonlyMap<number, number>, packedBytes: number): void {
  if (inner.size === 0) return;
  const of = (member: number) => inner.get(member) ?? 0;
  const [nulls, levels] = [of(V2.nulls), [of(V2.definitionBytes), of(V2.repetitionBytes)]];
  const isWrong =
    nulls < 0 || nulls > of(V2.values) || levels.some((bytes) => bytes < 0 || bytes > Math.max(0, packedBytes));
  if (isWrong) throw damaged();
}
