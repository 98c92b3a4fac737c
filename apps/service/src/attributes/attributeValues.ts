import { attributeValuesSql } from "@headwater/audience";
import type { AttributeType, Json } from "@headwater/contracts";
import { readClearsOf, type Session } from "@headwater/stores";
import type { ServicePorts } from "../ports.ts";

const LOOK_TIMEOUT_MS = 30_000;

/** Which values: those that contacts have, read as the type. */
export interface ValuesOf {
  /** Number of the account. */
  readonly account: number;
  readonly key: string;
  readonly type: AttributeType;
}

interface Stores {
  /** The transaction, where there is one: who holds one connection never waits for a second. */
  readonly postgres: Session;
  readonly clickHouse: ServicePorts["clickHouse"];
}

/** What a deletion of the attribute took does not count. A merged contact has no value: its members are told as removed. */
const VALUES = `contact_fields_current FINAL
  WHERE account = {account: UInt32} AND field = {field: String} AND version > {cleared: String} AND kind != 'removed'`;

export interface FrequentValue {
  readonly value: Json;
  readonly count: number;
}

/** The most frequent first. @param most values at most. */
export async function frequentValues(of: ValuesOf, most: number, ports: Stores): Promise<FrequentValue[]> {
  const { kind, text, readable, params } = attributeValuesSql(of.type);
  const sql = `SELECT ${kind} AS of_kind, ${text} AS of_text, count() AS contacts FROM ${VALUES} AND ${readable}
    GROUP BY of_kind, of_text ORDER BY contacts DESC, of_kind, of_text LIMIT {most: UInt32}`;
  const rows = await look<{ of_kind: string; of_text: string; contacts: number }>(of, sql, ports, { ...params, most });
  return rows.map((row) => ({ value: storedValue(row.of_kind, row.of_text), count: Number(row.contacts) }));
}

/** How many contacts have a value that can be read so, and how many have one that cannot. */
export async function countValues(of: ValuesOf, ports: Stores): Promise<{ read: number; notCast: number }> {
  const { readable, params } = attributeValuesSql(of.type);
  const sql = `SELECT countIf(${readable}) AS read, count() - read AS not_cast FROM ${VALUES}`;
  const [row] = await look<{ read: number; not_cast: number }>(of, sql, ports, params);
  return { read: Number(row?.read ?? 0), notCast: Number(row?.not_cast ?? 0) };
}

async function look<Row>({ account, key }: ValuesOf, sql: string, { postgres, clickHouse }: Stores, more: object) {
  const cleared = (await readClearsOf(postgres, account)).get(key) ?? "";
  const params = { ...more, account, field: `attributes.${key}`, cleared };
  return clickHouse.query<Row>(sql, params, { timeoutMs: LOOK_TIMEOUT_MS });
}

/** Strings are stored as they are, all else as JSON text. */
function storedValue(kind: string, text: string): Json {
  if (kind === "string") return text;
  const value: Json = JSON.parse(text);
  return value;
}
