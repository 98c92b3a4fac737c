import type { AttributeType, Json } from "@headwater/contracts";
import { attributeValuesSql } from "@headwater/criteria";
import type { AttributeClears } from "../contacts/attributeClears.ts";
import type { RoutePorts } from "../ports.ts";

const CHECK_TIMEOUT_MS = 30_000;

/** Selects the values that contacts have of an attribute, read as the type. */
export interface ValuesOf {
  /** Number of the account. */
  readonly account: number;
  readonly key: string;
  readonly type: AttributeType;
  /** Version of the last deletion of the attribute: what it took does not count. */
  readonly cleared: string | undefined;
}
type ClickHouse = RoutePorts["clickHouse"];

/** A merged contact has no value: its members are emitted as removed. */
const VALUES = `contact_fields_current FINAL
  WHERE account = {account: UInt32} AND field = {field: String} AND version > {cleared: String} AND kind != 'removed'`;

export interface FrequentValue {
  readonly value: Json;
  readonly count: number;
}

interface FrequentRow {
  readonly of_kind: string;
  readonly of_text: string;
  readonly contacts: number;
  readonly all_contacts: number;
}

/** The most frequent first, and how many contacts have one of all values. @param most values at most. */
export async function frequentValues(
  of: ValuesOf,
  most: number,
  clickHouse: ClickHouse,
): Promise<{ readonly values: readonly FrequentValue[]; readonly contacts: number }> {
  const { kind, text, readable, params } = attributeValuesSql(of.type);
  const sql = `SELECT ${kind} AS of_kind, ${text} AS of_text, count() AS contacts, sum(count()) OVER () AS all_contacts
    FROM ${VALUES} AND ${readable} GROUP BY of_kind, of_text ORDER BY contacts DESC, of_kind, of_text LIMIT {most: UInt32}`;
  const rows = await check<FrequentRow>(of, sql, clickHouse, { ...params, most });
  const values = rows.map((row) => ({ value: storedValue(row.of_kind, row.of_text), count: Number(row.contacts) }));
  return { values, contacts: Number(rows[0]?.all_contacts ?? 0) };
}

/** Counts the contacts whose value cannot be read as the type. */
export async function countNotCast(of: ValuesOf, clickHouse: ClickHouse): Promise<number> {
  const { readable, params } = attributeValuesSql(of.type);
  const sql = `SELECT count() - countIf(${readable}) AS not_cast FROM ${VALUES}`;
  const [row] = await check<{ not_cast: number }>(of, sql, clickHouse, params);
  return Number(row?.not_cast ?? 0);
}

async function check<Row>({ account, key, cleared = "" }: ValuesOf, sql: string, clickHouse: ClickHouse, more: object) {
  const params = { ...more, account, field: `attributes.${key}`, cleared };
  return clickHouse.query<Row>(sql, params, { timeoutMs: CHECK_TIMEOUT_MS });
}

/** Strings are stored as they are, all else as JSON text. */
function storedValue(kind: string, text: string): Json {
  if (kind === "string") return text;
  const value: Json = JSON.parse(text);
  return value;
}

/** Rows of `contact_fields_history` whose value no deletion of its attribute's definition took. Goes with `clearedFields`. */
export const FIELD_IS_STORED =
  "version > {clearedVersions: Array(String)}[indexOf({clearedFields: Array(String)}, field)]";

/** Parameters of `FIELD_IS_STORED`. */
export function clearedFields(clears: AttributeClears): {
  readonly clearedFields: readonly string[];
  readonly clearedVersions: readonly string[];
} {
  return {
    clearedFields: [...clears.keys()].map((name) => `attributes.${name}`),
    clearedVersions: [...clears.values()],
  };
}
