import { storableText } from "@headwater/api/paging/query";
import type { TimeRange } from "@headwater/api/paging/timeRange";
import type { ClickHouse } from "@headwater/clickhouse/clickhouse";
import { isMachineSql } from "@headwater/criteria";
import type { BoundedRows } from "@headwater/postgres/connection/documentBound";
import { z } from "zod";

/** The sorting key of an activity: time, action, number of the contact, uid. */
export const cursorKey = z.tuple([
  z.number().int(),
  storableText(1_024),
  z.number().int().nonnegative(),
  storableText(1_024),
]);
type ActivityKey = z.output<typeof cursorKey>;

/** An activity as it is stored; `contact` is the number it was written with. */
export interface ActivityRow {
  readonly contact: number;
  readonly action: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly uid: string;
  readonly record: string;
  readonly mcId: string;
  readonly properties: string;
  readonly city: string;
  readonly country: string;
  readonly lat: number | null;
  readonly lon: number | null;
  readonly device: string;
  /** 1 when a machine opened or clicked. */
  readonly machine: number;
}

export interface ActivityFilters {
  readonly account: number;
  readonly action?: string | undefined;
  /** Numbers that count as a contact: its own first, then those of contacts merged into it. */
  readonly numbers?: readonly number[] | undefined;
  readonly mcID?: string | undefined;
  /** Id of the message. */
  readonly message?: string | undefined;
  readonly range: TimeRange;
}

export interface ActivityPage extends ActivityFilters {
  readonly direction: "asc" | "desc";
  readonly after: ActivityKey | undefined;
  readonly skip: number;
  readonly rowsMax: number;
  /** Limit of the properties together. */
  readonly bytesMax: number;
}

const COLUMNS = `contact, action, toUnixTimestamp64Milli(time) AS at, uid, record, mc_id AS mcId, properties,
  geo_city AS city, geo_country AS country, geo_lat AS lat, geo_lon AS lon, device,
  ${isMachineSql()} AS machine`;

export function keyOf({ at, action, contact, uid }: KeyRow): ActivityKey {
  return [at, action, contact, uid];
}

/**
 * Returns a page in order of (time, action, contact, uid), which ends before the first activity that would pass the limit of bytes. Rows of
 * one key are one activity that was not folded yet: they are neighbours, and one of them is kept, so more rows are read until the page is
 * full.
 */
export async function readActivities(clickHouse: ClickHouse, page: ActivityPage): Promise<BoundedRows<ActivityRow>> {
  const stored: ActivityRow[] = [];
  let after = page.skip === 0 ? page.after : await keyBehind(clickHouse, page);
  if (after === "end") return { rows: [], isCut: false };
  let bytesLeft = page.bytesMax;
  for (;;) {
    const wanted = page.rowsMax - stored.length;
    const read = await readRows(clickHouse, { ...page, after, rowsMax: wanted, bytesMax: bytesLeft });
    const { rows } = read;
    const last = rows.at(-1);
    stored.push(...distinct(rows));
    bytesLeft = Math.max(0, bytesLeft - rows.reduce((bytes, { properties }) => bytes + properties.length, 0));
    if (read.isCut || rows.length < wanted || last === undefined || stored.length >= page.rowsMax) {
      return { rows: stored, isCut: read.isCut };
    }
    after = keyOf(last);
  }
}

type KeyRow = Pick<ActivityRow, "action" | "at" | "contact" | "uid">;

/** Reads the keys of the activities that are skipped. @returns the last of them, or that there are no more. */
async function keyBehind(clickHouse: ClickHouse, page: ActivityPage): Promise<ActivityKey | "end"> {
  let left = page.skip;
  let { after } = page;
  for (;;) {
    const rows = await clickHouse.query<KeyRow>(...keysSql({ ...page, after, rowsMax: left }));
    const last = rows.at(-1);
    if (last === undefined) return "end";
    const passed = distinct(rows).length;
    if (rows.length < left && passed < left) return "end";
    after = keyOf(last);
    left -= passed;
    if (left === 0) return after;
  }
}

function distinct<Row extends KeyRow>(rows: readonly Row[]): Row[] {
  return rows.filter((row, index) => index === 0 || !isSame(row, rows[index - 1]));
}

function isSame(row: KeyRow, other: KeyRow | undefined): boolean {
  return other !== undefined && JSON.stringify(keyOf(row)) === JSON.stringify(keyOf(other));
}

type RowsPage = Omit<ActivityPage, "skip">;
type MeasuredRow = ActivityRow & { readonly isOver: number };

/** An activity whose properties would pass the limit of bytes comes without them, unless it is the first. */
async function readRows(clickHouse: ClickHouse, page: RowsPage): Promise<BoundedRows<ActivityRow>> {
  const { where, params, order } = walkOf(page);
  // Of several copies the first one that came is shown: the one that stays.
  const sorted = [...order, `seniority ${DESCENDING}`].join(", ");
  const rows = `SELECT ${COLUMNS}, seniority FROM activities WHERE ${where} ORDER BY ${sorted} LIMIT {rows: UInt32}`;
  const view = ["at", "action", "contact", "uid"].map((column) => `${column} ${directionOf(page)}`);
  const numbered = `SELECT *, row_number() OVER w AS n, sum(length(properties) + length(device)) OVER w AS bytes FROM (${rows})
    WINDOW w AS (ORDER BY ${view.join(", ")}, seniority ${DESCENDING} ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)`;
  const sql = `SELECT contact, action, at, uid, record, mcId, if(isOver, '', properties) AS properties, city, country, lat, lon,
    if(isOver, '', device) AS device, machine, n > 1 AND bytes > {bytes: UInt64} AS isOver FROM (${numbered}) ORDER BY n`;
  const read = await clickHouse.query<MeasuredRow>(sql, { ...params, rows: page.rowsMax, bytes: page.bytesMax });
  const cutAt = read.findIndex(({ isOver }) => isOver === 1);
  return cutAt === -1 ? { rows: read, isCut: false } : { rows: read.slice(0, cutAt), isCut: true };
}

const DESCENDING = "DESC";

function directionOf({ direction }: Pick<ActivityPage, "direction">): "ASC" | "DESC" {
  return direction === "asc" ? "ASC" : DESCENDING;
}

function keysSql(page: RowsPage): [string, Record<string, unknown>] {
  const { where, params, order } = walkOf(page);
  const sql = `SELECT contact, action, toUnixTimestamp64Milli(time) AS at, uid FROM activities WHERE ${where}
    ORDER BY ${order.join(", ")} LIMIT {rows: UInt32}`;
  return [sql, { ...params, rows: page.rowsMax }];
}

/** Returns the conditions and the order of a walk. */
function walkOf(page: RowsPage): { where: string; params: Record<string, unknown>; order: readonly string[] } {
  const { where, params } = conditions(page);
  if (page.after !== undefined) {
    const [at, action, contact, uid] = page.after;
    Object.assign(params, { at: timeText(at), afterAction: action, afterContact: contact, afterUid: uid });
    const bound = "({at: DateTime64(3, 'UTC')}, {afterAction: String}, {afterContact: UInt64}, {afterUid: String})";
    // The bound on the time alone lets ClickHouse pass over whole granules.
    where.push(`time ${page.direction === "asc" ? ">=" : "<="} {at: DateTime64(3, 'UTC')}`);
    where.push(`(time, action, contact, uid) ${page.direction === "asc" ? ">" : "<"} ${bound}`);
  }
  const order = ["time", "action", "contact", "uid"].map((column) => `${column} ${directionOf(page)}`);
  return { where: where.join(" AND "), params, order };
}

/** Repeats that are not folded yet count once. */
export async function countActivities(clickHouse: ClickHouse, filters: ActivityFilters): Promise<number> {
  const { where, params } = conditions(filters);
  const sql = `SELECT count() AS count FROM activities FINAL WHERE ${where.join(" AND ")}`;
  const [row] = await clickHouse.query<{ count: number }>(sql, params);
  return row?.count ?? 0;
}

function conditions(filters: ActivityFilters): { where: string[]; params: Record<string, unknown> } {
  const { account, action, numbers, mcID, message, range } = filters;
  const input: readonly (readonly [string, string, unknown])[] = [
    ["account", "account = {account: UInt32}", account],
    ["action", "action = {action: String}", action],
    ["numbers", numbersSql(numbers?.length ?? 0), numbers?.slice(0, NUMBERS_MAX)],
    ["mcID", "mc_id = {mcID: String}", mcID],
    ["message", "message = {message: String}", message],
    ["from", "time >= {from: DateTime64(3, 'UTC')}", range.from === undefined ? undefined : timeText(range.from)],
    ["to", "time < {to: DateTime64(3, 'UTC')}", range.to === undefined ? undefined : timeText(range.to)],
  ];
  const used = input.filter(([, , value]) => value !== undefined);
  return {
    where: used.map(([, sql]) => sql),
    params: Object.fromEntries(used.map(([name, , value]) => [name, value])),
  };
}

/** More than that make an address that is too long for the query's parameters. */
const NUMBERS_MAX = 10_000;
const FAMILY = `SELECT {numbers: Array(UInt64)}[1] UNION ALL
  SELECT contact FROM contact_aliases FINAL WHERE account = {account: UInt32} AND survivor = {numbers: Array(UInt64)}[1]`;

/** Numbers of a contact into which very many were merged are read from ClickHouse, which has the latest merges a little later. */
function numbersSql(count: number): string {
  return count > NUMBERS_MAX ? `contact IN (${FAMILY})` : "contact IN {numbers: Array(UInt64)}";
}

const EARLIEST_MS = Date.UTC(1900, 0, 1);
const LATEST_MS = Date.UTC(2299, 11, 31);

/** Returns an instant as ClickHouse reads it, within the years that it knows. */
export function timeText(ms: number): string {
  const held = Math.min(LATEST_MS, Math.max(EARLIEST_MS, ms));
  return new Date(held).toISOString().replace("T", " ").slice(0, -1);
}
