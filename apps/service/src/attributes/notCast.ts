import { type Account, type AttributeRule, castAttribute, type Json } from "@headwater/contracts";
import type { ServicePorts } from "../ports.ts";

/** Values that are looked at one by one; beyond them those of the other kinds are told by ClickHouse's own reading. */
const VALUES_MAX = 200_000;
const LOOK_TIMEOUT_MS = 30_000;

const valuesStatement = `SELECT kind, text, count() AS contacts FROM contact_fields_current FINAL
  WHERE account = {account: UInt32} AND field = {field: String} AND kind != 'removed'
  GROUP BY kind, text ORDER BY contacts DESC, kind, text LIMIT {most: UInt32}`;

export interface ValueRow {
  readonly kind: string;
  readonly text: string;
  readonly contacts: number;
}

/** How many contacts have a value that cannot be read by the rule, among the most frequent 200,000 values. */
export async function countNotCast(
  { account, key, rule }: { readonly account: Account; readonly key: string; readonly rule: AttributeRule },
  { clickHouse }: Pick<ServicePorts, "clickHouse">,
): Promise<number> {
  const rows = await frequentValues({ account: account.number, key, most: VALUES_MAX }, clickHouse);
  const { timezone } = account.settings;
  const bare = { ...rule, validators: undefined };
  return rows
    .filter((row) => castAttribute(bare, storedValue(row), timezone).kind !== "value")
    .reduce((sum, { contacts }) => sum + Number(contacts), 0);
}

export interface FrequentValues {
  /** Number of the account. */
  readonly account: number;
  readonly key: string;
  /** Values at most. */
  readonly most: number;
}

/** The values contacts have of an attribute, the most frequent first. A merged contact has none: its members are told as removed. */
export function frequentValues(
  { account, key, most }: FrequentValues,
  clickHouse: ServicePorts["clickHouse"],
): Promise<ValueRow[]> {
  const params = { account, field: `attributes.${key}`, most };
  return clickHouse.query<ValueRow>(valuesStatement, params, { timeoutMs: LOOK_TIMEOUT_MS });
}

/** Strings are stored as they are, all else as JSON text. */
export function storedValue({ kind, text }: Pick<ValueRow, "kind" | "text">): Json {
  if (kind === "string") return text;
  const value: Json = JSON.parse(text);
  return value;
}
