import type { Page } from "@headwater/api/paging/page";
import { PAGE_BYTES_MAX } from "@headwater/api/paging/pageBytes";
import { refusal } from "@headwater/http";
import type { BoundedRows } from "@headwater/postgres/connection/documentBound";
import type { Session } from "@headwater/postgres/connection/session";
import { type ReadRecord, toReadRecord } from "../views/supplementRecordView.ts";
import type { RecordFilter } from "./recordQuery.ts";
import { compareKeys, entryKeys, isWithin } from "./supplementKeys.ts";
import {
  countSupplementEntries,
  countSupplementMatches,
  countSupplementRecords,
  type EntriesRange,
  type SupplementRecordView,
  walkSupplementEntries,
  walkSupplementRecords,
} from "./supplementReads.ts";
import type { SupplementView } from "./supplements.ts";

/** Key of a record's entry in the index of the order, empty in the order of ids; and its id. */
export interface RecordPosition {
  readonly key: string;
  readonly id: string;
}

export interface PageOfRecords {
  readonly records: readonly ReadRecord[];
  /** Position where the next page goes on; undefined at the end. */
  readonly next: RecordPosition | undefined;
  /** True when the page ended at its limit of bytes. */
  readonly isCut: boolean;
}

export interface RecordsAsked {
  readonly table: SupplementView;
  readonly filters: readonly RecordFilter[];
  /** The index that records are sorted by; undefined: by id. */
  readonly sort: SupplementView["indexes"][number] | undefined;
  readonly page: Page<RecordPosition>;
}

/** A filter that so few records pass is read whole, and the rest is done with them in memory. */
const COLLECTED_MAX = 2_000;
const COLLECTED_BYTES_MAX = 2 * PAGE_BYTES_MAX;
/** Records that one page checks where filters leave most of them out: the page is short then, and its cursor goes on. */
const CHECKED_MAX = 20_000;
const CHUNK = 500;

/**
 * A page of records, read from an index: from that of its order; where other filters leave few records, from the index of the
 * narrowest; else in its order, and what does not pass the other filters is passed by.
 */
export async function readRecords(session: Session, asked: RecordsAsked): Promise<PageOfRecords> {
  const { filters, sort } = asked;
  const driver = driverOf(filters, sort);
  const rest = filters.filter((filter) => filter !== driver);
  const order = { driver, sort, rest };
  if (rest.length === 0) return walk(session, asked, order);
  const narrow = await narrowest(session, asked);
  const collected = narrow && (await collect(session, asked, narrow));
  return collected ?? walk(session, asked, order);
}

/** The filter whose entries are in the order of the page. */
function driverOf(filters: readonly RecordFilter[], sort: RecordsAsked["sort"]): RecordFilter | undefined {
  if (sort === undefined) return filters.find(({ isOneValue }) => isOneValue);
  return filters.find(({ index }) => index.slot === sort.slot);
}

async function narrowest(session: Session, { table, filters }: RecordsAsked): Promise<RecordFilter | undefined> {
  const counts = await Promise.all(
    filters.map(async (filter) => {
      const most = COLLECTED_MAX + 1;
      return { filter, count: await countSupplementEntries(session, keyOf(table), { range: rangeIn(filter), most }) };
    }),
  );
  const [least] = counts.sort((a, b) => a.count - b.count);
  return least !== undefined && least.count <= COLLECTED_MAX ? least.filter : undefined;
}

/** @returns undefined when the records are too large to sort them in memory. */
async function collect(
  session: Session,
  { table, filters, sort, page }: RecordsAsked,
  narrow: RecordFilter,
): Promise<PageOfRecords | undefined> {
  const bounds = { direction: "asc", skip: 0, rowsMax: COLLECTED_MAX, bytesMax: COLLECTED_BYTES_MAX } as const;
  const { rows, isCut } = await walkSupplementEntries(session, readTableOf(table), { ...rangeIn(narrow), ...bounds });
  if (isCut) return undefined;
  const sign = page.direction === "asc" ? 1 : -1;
  const found = uniqueById(rows)
    .map((row) => toReadRecord(row, table))
    .filter((one) => passes(one, filters))
    .map((one) => ({ one, place: { key: sort === undefined ? "" : keyIn(one, sort), id: one.row.id } }))
    .sort((a, b) => sign * comparePositions(a.place, b.place));
  const { after } = page;
  const left =
    after === undefined ? found : found.filter(({ place: position }) => sign * comparePositions(position, after) > 0);
  return cut(withinBytes(left.slice(page.skip, page.skip + page.perPage + 1)), page.perPage);
}

interface Order {
  readonly driver: RecordFilter | undefined;
  readonly sort: RecordsAsked["sort"];
  readonly rest: readonly RecordFilter[];
}

async function walk(session: Session, asked: RecordsAsked, order: Order): Promise<PageOfRecords> {
  const { page } = asked;
  const read = reader(session, asked, order);
  if (order.rest.length > 0) return walkFiltered(read, asked, order.rest);
  const { rows, isCut } = await read({ after: page.after, skip: page.skip, rowsMax: page.perPage + 1 });
  return cut({ rows: rows.map(placing(asked)), isCut }, page.perPage);
}

/** Reads on until the page is full; a page of records that the filters leave out for the most part is short. */
async function walkFiltered(read: Read, asked: RecordsAsked, rest: Order["rest"]): Promise<PageOfRecords> {
  const { page } = asked;
  const located = placing(asked);
  const passed: Located[] = [];
  let left = page.skip;
  let bytes = 0;
  let last = page.after;
  for (let checked = 0; checked < CHECKED_MAX; ) {
    const { rows, isCut } = await read({ after: last, skip: 0, rowsMax: CHUNK });
    for (const row of rows.map(located)) {
      if (!passes(row.one, rest)) continue;
      if (left > 0) left -= 1;
      else {
        bytes += bytesOf(row);
        if (passed.length > 0 && bytes > PAGE_BYTES_MAX) return cut({ rows: passed, isCut: true }, page.perPage);
        passed.push(row);
        if (passed.length > page.perPage) return cut({ rows: passed, isCut: false }, page.perPage);
      }
    }
    const end = rows.at(-1);
    if (end === undefined || (!isCut && rows.length < CHUNK)) return cut({ rows: passed, isCut: false }, page.perPage);
    last = located(end).place;
    checked += rows.length;
  }
  if (page.skip > 0) throw tooManyLeftOut();
  return { records: passed.map(({ one }) => one), next: last, isCut: false };
}

/** Keeps the first records, as many as the limit of a page admits, and one in any case. */
function withinBytes(rows: readonly Located[]): BoundedRows<Located> {
  let bytes = 0;
  const cutAt = rows.findIndex((row, index) => {
    bytes += bytesOf(row);
    return index > 0 && bytes > PAGE_BYTES_MAX;
  });
  return cutAt === -1 ? { rows, isCut: false } : { rows: rows.slice(0, cutAt), isCut: true };
}

const bytesOf = ({ one }: Located): number => Buffer.byteLength(one.row.doc);

interface Step {
  readonly after: RecordPosition | undefined;
  readonly skip: number;
  readonly rowsMax: number;
}

type Read = (step: Step) => Promise<BoundedRows<SupplementRecordView>>;

function reader(session: Session, { table, page }: RecordsAsked, { driver, sort }: Order): Read {
  const of = readTableOf(table);
  const { direction } = page;
  return ({ after, skip, rowsMax }) => {
    const step = { direction, skip, rowsMax, bytesMax: PAGE_BYTES_MAX };
    const range = driver === undefined ? sort && { slot: sort.slot } : rangeIn(driver);
    if (range === undefined) return walkSupplementRecords(session, of, { ...step, after: after?.id });
    // Entries of one value are in order of id, and all have one key.
    const place = after !== undefined && sort === undefined ? { ...after, key: driver?.range.from ?? "" } : after;
    return walkSupplementEntries(session, of, { ...step, ...range, after: place });
  };
}

/** Counts the records that pass the filters. */
export function countRecords(session: Session, { table, filters }: Pick<RecordsAsked, "table" | "filters">) {
  const [only, ...others] = filters.map(rangeIn);
  if (only === undefined) return countSupplementRecords(session, readTableOf(table));
  if (others.length === 0) return countSupplementEntries(session, keyOf(table), { range: only });
  return countSupplementMatches(session, keyOf(table), [only, ...others]);
}

interface Located {
  readonly one: ReadRecord;
  readonly place: RecordPosition;
}

const placing =
  ({ table, sort }: RecordsAsked) =>
  (row: SupplementRecordView): Located => {
    const place = { key: sort === undefined ? "" : row.key, id: row.id };
    return { one: toReadRecord(row, table), place };
  };

function cut({ rows, isCut }: BoundedRows<Located>, perPage: number): PageOfRecords {
  const stored = rows.slice(0, perPage);
  const next = isCut || rows.length > perPage ? stored.at(-1)?.place : undefined;
  return { records: stored.map(({ one }) => one), next, isCut };
}

function passes({ record }: ReadRecord, filters: readonly RecordFilter[]): boolean {
  return filters.every(({ index, range }) => entryKeys(index, record.members).some((key) => isWithin(key, range)));
}

function keyIn({ record }: ReadRecord, index: RecordFilter["index"]): string {
  return entryKeys(index, record.members)[0] ?? "";
}

function comparePositions(a: RecordPosition, b: RecordPosition): number {
  return compareKeys(a.key, b.key) || compareKeys(a.id, b.id);
}

/** A range of a geo value's texts or of an array may find a record by several entries. */
function uniqueById(rows: readonly SupplementRecordView[]): SupplementRecordView[] {
  return [...new Map(rows.map((row) => [row.id, row])).values()];
}

function rangeIn({ index: { slot }, range }: RecordFilter): EntriesRange {
  return { slot, ...range };
}

function keyOf({ account, id: supplement }: SupplementView) {
  return { account, supplement };
}

function readTableOf({ account, id: supplement, clearedVersion }: SupplementView) {
  return { account, supplement, clearedVersion };
}

function tooManyLeftOut() {
  const message = "The filters exclude too many records to page by number. Continue with `cursor`.";
  return refusal("VALIDATION_ERROR", message, { details: [{ path: "/page", code: "use_cursor", message }] });
}
