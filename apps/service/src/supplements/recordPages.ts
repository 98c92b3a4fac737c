import { compareKeys, entryKeys, isWithin } from "@headwater/domain/supplement";
import { refusal } from "@headwater/http";
import { type ReadRecord, toReadRecord } from "@headwater/projection";
import type { Session } from "@headwater/stores/postgres";
import {
  countSupplementEntries,
  countSupplementMatches,
  countSupplementRecords,
  type EntriesRange,
  type SupplementRecordView,
  type SupplementView,
  walkSupplementEntries,
  walkSupplementRecords,
} from "@headwater/stores/supplements";
import type { Page } from "../paging/page.ts";
import type { RecordFilter } from "./recordQuery.ts";

/** Key of a record's entry in the index of the order, empty in the order of ids; and its id. */
export interface RecordPlace {
  readonly key: string;
  readonly id: string;
}

export interface PageOfRecords {
  readonly records: readonly ReadRecord[];
  /** Place where the next page goes on; undefined at the end. */
  readonly next: RecordPlace | undefined;
}

export interface RecordsAsked {
  readonly table: SupplementView;
  readonly filters: readonly RecordFilter[];
  /** The index that records are sorted by; undefined: by id. */
  readonly sort: SupplementView["indexes"][number] | undefined;
  readonly page: Page<RecordPlace>;
}

/** A filter that so few records pass is read whole, and the rest is done with them in memory. */
const COLLECTED_MAX = 2_000;
/** Records that one page looks at where filters leave most of them out: the page is short then, and its cursor goes on. */
const LOOKED_AT_MAX = 20_000;
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
  return narrow === undefined ? walk(session, asked, order) : collect(session, asked, narrow);
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

async function collect(
  session: Session,
  { table, filters, sort, page }: RecordsAsked,
  narrow: RecordFilter,
): Promise<PageOfRecords> {
  const whole = { ...rangeIn(narrow), direction: "asc", skip: 0, rowsMax: COLLECTED_MAX } as const;
  const rows = await walkSupplementEntries(session, readTableOf(table), whole);
  const sign = page.direction === "asc" ? 1 : -1;
  const found = uniqueById(rows)
    .map((row) => toReadRecord(row, table))
    .filter((one) => passes(one, filters))
    .map((one) => ({ one, place: { key: sort === undefined ? "" : keyIn(one, sort), id: one.row.id } }))
    .sort((a, b) => sign * comparePlaces(a.place, b.place));
  const { after } = page;
  const left = after === undefined ? found : found.filter(({ place }) => sign * comparePlaces(place, after) > 0);
  const kept = left.slice(page.skip, page.skip + page.perPage + 1);
  return cut(kept, page.perPage);
}

interface Order {
  readonly driver: RecordFilter | undefined;
  readonly sort: RecordsAsked["sort"];
  readonly rest: readonly RecordFilter[];
}

async function walk(session: Session, asked: RecordsAsked, order: Order): Promise<PageOfRecords> {
  const { page } = asked;
  const { rest } = order;
  const read = reader(session, asked, order);
  const placed = placing(asked);
  if (rest.length === 0) {
    const rows = await read({ after: page.after, skip: page.skip, rowsMax: page.perPage + 1 });
    return cut(rows.map(placed), page.perPage);
  }
  const passed: Placed[] = [];
  const wanted = page.skip + page.perPage + 1;
  let last = page.after;
  for (let looked = 0; looked < LOOKED_AT_MAX && passed.length < wanted; looked += CHUNK) {
    const rows = await read({ after: last, skip: 0, rowsMax: CHUNK });
    passed.push(...rows.map(placed).filter(({ one }) => passes(one, rest)));
    const end = rows.at(-1);
    if (end === undefined || rows.length < CHUNK) return cut(passed.slice(page.skip, wanted), page.perPage);
    last = placed(end).place;
  }
  if (passed.length >= wanted) return cut(passed.slice(page.skip, wanted), page.perPage);
  if (page.skip > 0) throw tooManyLeftOut();
  return { records: passed.map(({ one }) => one), next: last };
}

interface Step {
  readonly after: RecordPlace | undefined;
  readonly skip: number;
  readonly rowsMax: number;
}

function reader(session: Session, { table, page }: RecordsAsked, { driver, sort }: Order) {
  const of = readTableOf(table);
  const { direction } = page;
  return ({ after, skip, rowsMax }: Step): Promise<SupplementRecordView[]> => {
    const step = { direction, skip, rowsMax };
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

interface Placed {
  readonly one: ReadRecord;
  readonly place: RecordPlace;
}

const placing =
  ({ table, sort }: RecordsAsked) =>
  (row: SupplementRecordView): Placed => {
    const place = { key: sort === undefined ? "" : row.key, id: row.id };
    return { one: toReadRecord(row, table), place };
  };

function cut(rows: readonly Placed[], perPage: number): PageOfRecords {
  const kept = rows.slice(0, perPage);
  const next = rows.length > perPage ? kept.at(-1)?.place : undefined;
  return { records: kept.map(({ one }) => one), next };
}

function passes({ record }: ReadRecord, filters: readonly RecordFilter[]): boolean {
  return filters.every(({ index, range }) => entryKeys(index, record.members).some((key) => isWithin(key, range)));
}

function keyIn({ record }: ReadRecord, index: RecordFilter["index"]): string {
  return entryKeys(index, record.members)[0] ?? "";
}

function comparePlaces(a: RecordPlace, b: RecordPlace): number {
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
