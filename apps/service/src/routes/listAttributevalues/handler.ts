import { type Account, castAttribute, type Json, toTimestamp } from "@headwater/contracts";
import type { Answer } from "@headwater/http";
import { readAttribute } from "@headwater/stores";
import { frequentValues, storedValue, type ValueRow } from "../../attributes/notCast.ts";
import { unknown } from "../../attributes/saveDefinition.ts";
import type { RoutePorts } from "../../ports.ts";

export interface ValuesQuestion {
  readonly key: string;
  /** Values at most. */
  readonly limit: number;
  readonly account: Account;
}

const LOOK_TIMEOUT_MS = 30_000;

const missingStatement = `SELECT
  (SELECT count() FROM contacts_current FINAL WHERE account = {account: UInt32} AND deleted = 0) AS living,
  (SELECT count() FROM contact_fields_current FINAL
    WHERE account = {account: UInt32} AND field = {field: String} AND kind != 'removed') AS having`;

/** The most frequent values first. Throws 404 `RECORD_NOT_FOUND`. */
export async function readValues({ key, limit, account }: ValuesQuestion, ports: RoutePorts): Promise<Answer> {
  const definition = await readAttribute(ports.postgres, { account: account.number, key });
  if (definition === undefined) throw unknown();
  const asOf = await ports.freshness();
  const params = { account: account.number, field: `attributes.${key}` };
  const options = { timeoutMs: LOOK_TIMEOUT_MS };
  const [rows, [counts], rules] = await Promise.all([
    frequentValues({ account: account.number, key, most: limit }, ports.clickHouse),
    ports.clickHouse.query<{ living: number; having: number }>(missingStatement, params, options),
    ports.attributeRules.of(account),
  ]);
  const rule = rules?.get(key);
  const shown = (row: ValueRow): Json => {
    const cast = rule && castAttribute({ ...rule, validators: undefined }, storedValue(row), account.settings.timezone);
    return cast?.kind === "value" ? cast.value : storedValue(row);
  };
  const data = rows.map((row) => ({ value: shown(row), count: Number(row.contacts) }));
  const missing = Math.max(0, Number(counts?.living ?? 0) - Number(counts?.having ?? 0));
  return { status: 200, body: { data, missing, asOf: toTimestamp(asOf) } };
}
