import type { ClickHouse } from "@headwater/clickhouse/clickhouse";
import { toTimestamp } from "@headwater/contracts";
import { clearedFields, FIELD_IS_STORED } from "@headwater/records/attributes/clickhouse";
import type { AttributeClears } from "@headwater/records/contacts/attributeClears";
import type { Person } from "@headwater/records/contacts/profileReads";
import type { Entry } from "./entries.ts";

const ROWS_MAX = 5_000;

interface ActivityRow {
  readonly at: number;
  readonly record: string;
  readonly action: string;
  readonly uid: string;
  readonly mcId: string;
  readonly properties: string;
  readonly city: string;
  readonly country: string;
  readonly lat: number | null;
  readonly lon: number | null;
  readonly device: string;
}

const activitiesQuery = `SELECT toUnixTimestamp64Milli(time) AS at, record, action, uid, mc_id AS mcId, properties, geo_city AS city,
    geo_country AS country, geo_lat AS lat, geo_lon AS lon, device
  FROM activities FINAL WHERE account = {account: UInt32} AND contact IN {numbers: Array(UInt64)}
    AND (toUnixTimestamp64Milli(time), record) > ({at: Int64}, {record: String})
  ORDER BY toUnixTimestamp64Milli(time), record LIMIT {rowsMax: UInt32}`;
const fieldsQuery = `SELECT version, field, contact, kind, text, toUnixTimestamp64Milli(at) AS moment FROM contact_fields_history FINAL
  WHERE account = {account: UInt32} AND contact IN {numbers: Array(UInt64)}
    AND ${FIELD_IS_STORED} AND (version, field, contact) > ({version: String}, {field: String}, {contact: UInt64})
  ORDER BY version, field, contact LIMIT {rowsMax: UInt32}`;
const listsQuery = `SELECT version, list, contact, present, toUnixTimestamp64Milli(at) AS moment FROM memberships_history FINAL
  WHERE account = {account: UInt32} AND contact IN {numbers: Array(UInt64)}
    AND (version, list, contact) > ({version: String}, {list: UInt32}, {contact: UInt64})
  ORDER BY version, list, contact LIMIT {rowsMax: UInt32}`;

/** Activities by their time. */
export async function* activitiesOf(clickhouse: ClickHouse, { account, numbers }: Person): AsyncGenerator<Entry> {
  let after = { at: -1, record: "" };
  for (;;) {
    const rows = await clickhouse.query<ActivityRow>(activitiesQuery, {
      account,
      numbers,
      ...after,
      rowsMax: ROWS_MAX,
    });
    for (const row of rows) yield { type: "activity", data: activityData(row) };
    const last = rows.at(-1);
    if (last === undefined || rows.length < ROWS_MAX) return;
    after = { at: last.at, record: last.record };
  }
}

function activityData({ at, record, action, uid, mcId, properties, city, country, lat, lon, device }: ActivityRow) {
  return {
    id: record,
    action,
    time: toTimestamp(at),
    ...(uid !== record && { UID: uid }),
    ...(mcId !== "" && { mcID: mcId }),
    properties: parsed(properties),
    ...((city !== "" || country !== "" || lat !== null) && { geo: { city, country, geoLoc: { lat, lon } } }),
    ...(device !== "" && { device: parsed(device) }),
  };
}

interface FieldRow {
  readonly version: string;
  readonly field: string;
  readonly contact: number;
  readonly kind: string;
  readonly text: string;
  readonly moment: number;
}

/** Every value a member of the contact, or of one merged into it, ever had, but those that deletions of definitions took. */
export async function* fieldChangesOf(
  clickhouse: ClickHouse,
  { account, numbers }: Person,
  clears: AttributeClears,
): AsyncGenerator<Entry> {
  let after: Pick<FieldRow, "version" | "field" | "contact"> = { version: "", field: "", contact: 0 };
  for (;;) {
    const { version, field, contact } = after;
    const params = { account, numbers, version, field, contact, ...clearedFields(clears), rowsMax: ROWS_MAX };
    const rows = await clickhouse.query<FieldRow>(fieldsQuery, params);
    for (const row of rows) yield { type: "change", data: fieldData(row) };
    const last = rows.at(-1);
    if (last === undefined || rows.length < ROWS_MAX) return;
    after = last;
  }
}

function fieldData({ field, kind, text, moment: instant }: FieldRow) {
  const value = kind === "string" ? text : parsed(text);
  return { path: field, at: toTimestamp(instant), value: kind === "removed" ? null : value };
}

interface ListRow {
  readonly version: string;
  readonly list: number;
  readonly contact: number;
  readonly present: number;
  readonly moment: number;
}

export async function* listChangesOf(clickhouse: ClickHouse, { account, numbers }: Person): AsyncGenerator<Entry> {
  let after: Pick<ListRow, "version" | "list" | "contact"> = { version: "", list: 0, contact: 0 };
  for (;;) {
    const { version, list, contact } = after;
    const params = { account, numbers, version, list, contact, rowsMax: ROWS_MAX };
    const rows = await clickhouse.query<ListRow>(listsQuery, params);
    for (const row of rows) {
      yield { type: "listChange", data: { list: row.list, joined: row.present === 1, at: toTimestamp(row.moment) } };
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < ROWS_MAX) return;
    after = last;
  }
}

/** Stored as JSON text by us; what is no JSON is shown as it is. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return text;
    throw error;
  }
}
