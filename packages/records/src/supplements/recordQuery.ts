import type { shapes } from "@headwater/contracts";
import { refusal } from "@headwater/http";
import { type Comparison, isOneKey, type KeyRange, narrowed, rangeOf } from "./supplementKeys.ts";
import type { SupplementView } from "./supplements.ts";
import { geoTexts } from "./supplementTypes.ts";

type Index = shapes.StoredSupplementIndex;

/** Range of one index that a page asks for. */
export interface RecordFilter {
  readonly index: Index;
  /** The path in a geo value, else empty. */
  readonly member: string;
  readonly range: KeyRange;
  /** The range is a single value: its entries are in order of id. */
  readonly isOneValue: boolean;
}

const FILTERS_MAX = 10;
const OPERATOR = /^(.+)\[(gt|gte|lt|lte|eq)\]$/s;
const COMPARISONS: Readonly<Record<string, Comparison>> = { gt: "gt", gte: "gte", lt: "lt", lte: "lte", eq: "eq" };
/** Members of a geo value next to the texts. */
const geoNumbers = ["loc.lat", "loc.lon"];
/** Time that it takes to build an index of about ten thousand records. */
const RETRY_AFTER_SECONDS = 5;

/**
 * Reads `field=v` and `field[gt|gte|lt|lte|eq]=v`; filters of one field are one range. Throws 400 `BAD_REQUEST` for a field without
 * an index or an operator that its type does not have, 409 `NOT_YET_APPLIED` while the index is being built.
 */
export function readFilters(
  query: Readonly<Record<string, unknown>>,
  table: SupplementView,
  own: ReadonlySet<string>,
): RecordFilter[] {
  const found = new Map<string, RecordFilter>();
  for (const [name, text] of Object.entries(query)) {
    if (own.has(name) || typeof text !== "string") continue;
    const [, path = name, operator = "eq"] = OPERATOR.exec(name) ?? [];
    const filter = readFilter(table, { name, path, comparison: COMPARISONS[operator] ?? "eq", text });
    const key = `${filter.index.slot} ${filter.member}`;
    const before = found.get(key);
    // An array may hold both values: they are two conditions.
    const isArray = filter.index.type === "array";
    if (before === undefined || isArray) found.set(isArray ? `${key} ${text}` : key, filter);
    else {
      const range = narrowed(before.range, filter.range);
      found.set(key, { ...before, range, isOneValue: isOneKey(range) });
    }
  }
  if (found.size > FILTERS_MAX) throw refusal("BAD_REQUEST", `A request can have at most ${FILTERS_MAX} filters.`);
  return [...found.values()];
}

interface Input {
  readonly name: string;
  readonly path: string;
  readonly comparison: Comparison;
  readonly text: string;
}

function readFilter(table: SupplementView, { name, path, comparison, text }: Input): RecordFilter {
  const { index, member } = indexOf(table, name, path);
  if (index.type === "array" && comparison !== "eq") {
    throw badQuery(name, "not_allowed", "An array field can only be filtered with = or [eq].");
  }
  const range = rangeOf(index, { member, comparison, text });
  if (range === undefined)
    throw badQuery(name, "bad_value", `It is not a ${index.type === "date" ? "date" : "number"}.`);
  return { index: expectReady(index), member, range, isOneValue: isOneKey(range) };
}

function indexOf(table: SupplementView, name: string, path: string) {
  const whole = table.indexes.find(({ field }) => field === path);
  if (whole !== undefined && whole.type !== "geo") return { index: whole, member: "" };
  for (const index of table.indexes) {
    const member = path.slice(index.field.length + 1);
    if (index.type !== "geo" || !path.startsWith(`${index.field}.`)) continue;
    if (geoTexts.has(member) || geoNumbers.includes(member)) return { index, member };
  }
  throw badQuery(name, "unknown_field", "Records can be filtered only by indexed fields.", filterable(table));
}

function filterable({ indexes }: SupplementView): string[] {
  return indexes.flatMap(({ field, type }) =>
    type === "geo" ? [...geoTexts, ...geoNumbers].map((member) => `${field}.${member}`) : [field],
  );
}

/**
 * Returns the index that `sort_by` names; without `sort_by` that of the first range of values, so that the page is read from it.
 * @returns undefined for the order of ids. Throws as `readFilters` does.
 */
export function readSort(
  sortBy: string | undefined,
  table: SupplementView,
  filters: readonly RecordFilter[],
): Index | undefined {
  if (sortBy === "id") return undefined;
  if (sortBy === undefined) return filters.find(({ index, isOneValue }) => !isOneValue && isSortable(index))?.index;
  const index = table.indexes.find(({ field }) => field === sortBy);
  if (index !== undefined && isSortable(index)) return expectReady(index);
  const allowed = ["id", ...table.indexes.filter(isSortable).map(({ field }) => field)];
  const message = "Records can be sorted only by id or by an indexed string, number or date.";
  throw badQuery("sort_by", "unknown_field", message, allowed);
}

/** Each record has exactly one entry in it. */
function isSortable({ type }: Index): boolean {
  return type === "string" || type === "number" || type === "date";
}

function expectReady(index: Index): Index {
  if (index.state === "ready") return index;
  const message = `The index on ${JSON.stringify(index.field)} is still being built. Retry later, or omit the filter.`;
  throw refusal("NOT_YET_APPLIED", message, { retryAfterSeconds: RETRY_AFTER_SECONDS });
}

function badQuery(name: string, code: string, message: string, allowed?: readonly string[]) {
  const details = [{ path: `/${name}`, code, message, ...(allowed && { allowed }) }];
  return refusal("BAD_REQUEST", `${name}: ${message}`, { details });
}
