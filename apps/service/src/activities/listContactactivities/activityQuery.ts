import { isMachineSql } from "@headwater/audience";
import type { ClickHouse } from "@headwater/stores/clickhouse";
import type { TimeRange } from "../../paging/timeRange.ts";
import type { ActivityKey } from "./schema.ts";

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
}

const COLUMNS = `contact, action, toUnixTimestamp64Milli(time) AS at, uid, record, mc_id AS mcId, properties,
  geo_city AS city, geo_country AS country, geo_lat AS lat, geo_lon AS lon, device,
  ${isMachineSql()} AS machine`;

export function keyOf({ at, action, contact, uid }: ActivityRow): ActivityKey {
  return [at, action, contact, uid];
}

/**
 * A page in order of (time, action, contact, uid). Rows of one key are one activity that was not folded yet: they stand
 * side by side, and one of them is kept, so more rows are read until the page is full.
 */
export async function readActivities(clickHouse: ClickHouse, page: ActivityPage): Promise<ActivityRow[]> {
  const kept: ActivityRow[] = [];
  let { after, skip } = page;
  for (;;) {
    const wanted = skip + page.rowsMax - kept.length;
    const rows = await readRows(clickHouse, { ...page, after, rowsMax: wanted });
    const last = rows.at(-1);
    const distinct = rows.filter((row, index) => index === 0 || !isSame(row, rows[index - 1]));
    kept.push(...distinct.slice(skip));
    skip = Math.max(0, skip - distinct.length);
    if (rows.length < wanted || last === undefined || kept.length >= page.rowsMax) return kept;
    after = keyOf(last);
  }
}

function isSame(row: ActivityRow, other: ActivityRow | undefined): boolean {
  return other !== undefined && JSON.stringify(keyOf(row)) === JSON.stringify(keyOf(other));
}

function readRows(clickHouse: ClickHouse, page: Omit<ActivityPage, "skip">): Promise<ActivityRow[]> {
  const { where, params } = conditions(page);
  const order = page.direction === "asc" ? "ASC" : "DESC";
  if (page.after !== undefined) {
    const [at, action, contact, uid] = page.after;
    Object.assign(params, { at: timeText(at), afterAction: action, afterContact: contact, afterUid: uid });
    const bound = "({at: DateTime64(3, 'UTC')}, {afterAction: String}, {afterContact: UInt64}, {afterUid: String})";
    // The bound on the time alone lets ClickHouse pass over whole granules.
    where.push(`time ${page.direction === "asc" ? ">=" : "<="} {at: DateTime64(3, 'UTC')}`);
    where.push(`(time, action, contact, uid) ${page.direction === "asc" ? ">" : "<"} ${bound}`);
  }
  const key = ["time", "action", "contact", "uid"].map((column) => `${column} ${order}`);
  // Of several copies the first one that came is shown: the one that stays.
  const sorted = [...key, "seniority DESC"].join(", ");
  const sql = `SELECT ${COLUMNS} FROM activities WHERE ${where.join(" AND ")} ORDER BY ${sorted} LIMIT {rows: UInt32}`;
  return clickHouse.query<ActivityRow>(sql, { ...params, rows: page.rowsMax });
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
  const given: readonly (readonly [string, string, unknown])[] = [
    ["account", "account = {account: UInt32}", account],
    ["action", "action = {action: String}", action],
    ["numbers", numbersSql(numbers?.length ?? 0), numbers?.slice(0, NUMBERS_MAX)],
    ["mcID", "mc_id = {mcID: String}", mcID],
    ["message", "message = {message: String}", message],
    ["from", "time >= {from: DateTime64(3, 'UTC')}", range.from === undefined ? undefined : timeText(range.from)],
    ["to", "time < {to: DateTime64(3, 'UTC')}", range.to === undefined ? undefined : timeText(range.to)],
  ];
  const used = given.filter(([, , value]) => value !== undefined);
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

function timeText(ms: number): string {
  const held = Math.min(LATEST_MS, Math.max(EARLIEST_MS, ms));
  return new Date(held).toISOString().replace("T", " ").slice(0, -1);
}
