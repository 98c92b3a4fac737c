import type { ClickHouse } from "@headwater/clickhouse/clickhouse";
import { type Json, sameJson } from "@headwater/contracts";

import { clearedFields, FIELD_IS_STORED } from "../attributes/clickhouse.ts";
import type { AttributeClears } from "./attributeClears.ts";

/** One member that one version set, and what it was in the version before. */
export interface Write {
  readonly version: string;
  readonly path: string;
  readonly from: Json;
  readonly to: Json;
}

export interface WritesBelow {
  readonly account: number;
  readonly contact: number;
  /** Versions from here on are left out. */
  readonly below: string;
  /** Values that they took are left out, as though they had never been. */
  readonly clears: AttributeClears;
}

/** More than one record can write: a version is never cut. */
const ROWS_MAX = 50_000;
/** A bound above every version. */
export const NO_BOUND = "g";

/** Writes of fields and lists under one contact's number, those of the greatest versions. `floor`: nothing below it was read. */
export async function readWrites(
  clickHouse: ClickHouse,
  { clears, ...of }: WritesBelow,
): Promise<{ readonly writes: readonly Write[]; readonly floor: string }> {
  const params = { ...of, ...clearedFields(clears), rows: ROWS_MAX };
  const [fields, lists] = await Promise.all([
    clickHouse.query<FieldRow>(fieldsStatement, params),
    clickHouse.query<ListRow>(listsStatement, { ...of, rows: ROWS_MAX }),
  ]);
  const floorOf = (rows: readonly { readonly version: string }[]) =>
    rows.length < ROWS_MAX ? "" : (rows.at(-1)?.version ?? "");
  const floor = [floorOf(fields), floorOf(lists)].sort().at(-1) ?? "";
  const all = [...fields.map(fieldWrite), ...lists.map(listWrite)];
  // A merge says again what it leaves as it was, for those who read both contacts as one.
  const writes = all.filter(({ version, from, to }) => version > floor && !sameJson(from, to));
  return { writes, floor };
}

type Kind = "removed" | "string" | "number" | "boolean" | "array" | "object";
interface FieldRow {
  readonly version: string;
  readonly field: string;
  readonly kind: Kind;
  readonly text: string;
  readonly kindBefore: Kind;
  readonly textBefore: string;
}
interface ListRow {
  readonly version: string;
  readonly list: number;
  readonly present: number;
  readonly joinedAt: number;
  readonly presentBefore: number;
  readonly joinedAtBefore: number;
}

/** The value of no row before is the type's own: `removed`, and not present. */
const fieldsStatement = `SELECT version, field, kind, text, kindBefore, textBefore FROM (
    SELECT version, field, kind, text, lagInFrame(kind) OVER earlier AS kindBefore, lagInFrame(text) OVER earlier AS textBefore
    FROM contact_fields_history FINAL WHERE account = {account: UInt32} AND contact = {contact: UInt64}
      AND ${FIELD_IS_STORED}
    WINDOW earlier AS (PARTITION BY field ORDER BY version ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW))
  WHERE version < {below: String} ORDER BY version DESC, field LIMIT {rows: UInt32}`;
const listsStatement = `SELECT version, list, present, joinedAt, presentBefore, joinedAtBefore FROM (
    SELECT version, list, present, toUnixTimestamp64Milli(joined_at) AS joinedAt,
      lagInFrame(present) OVER earlier AS presentBefore, lagInFrame(toUnixTimestamp64Milli(joined_at)) OVER earlier AS joinedAtBefore
    FROM memberships_history FINAL WHERE account = {account: UInt32} AND contact = {contact: UInt64}
    WINDOW earlier AS (PARTITION BY list ORDER BY version ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW))
  WHERE version < {below: String} ORDER BY version DESC, list LIMIT {rows: UInt32}`;

function fieldWrite({ version, field, kind, text, kindBefore, textBefore }: FieldRow): Write {
  return { version, path: field, from: toValue(kindBefore, textBefore), to: toValue(kind, text) };
}

/** Returns the value that the row was written from: strings stand as they are, all else as JSON. */
function toValue(kind: Kind, text: string): Json {
  if (kind === "removed") return null;
  if (kind === "string") return text;
  const value: Json = JSON.parse(text);
  return value;
}

function listWrite({ version, list, ...row }: ListRow): Write {
  const { present, joinedAt, presentBefore, joinedAtBefore } = row;
  const [from, to] = [joinTimeOf(presentBefore, joinedAtBefore), joinTimeOf(present, joinedAt)];
  return { version, path: listPath(list), from, to };
}

/** Lists are known by number until their names are looked up. */
export function listPath(list: number): string {
  return `lists.#${list}`;
}

function joinTimeOf(present: number, joinedAt: number): Json {
  return present === 1 ? new Date(joinedAt).toISOString() : null;
}
