import { lastClear } from "../../compile/latestVersion.ts";
import { resolvedRows } from "../../compile/merges.ts";
import type { Scope } from "../../compile/scope.ts";
import { type FieldRow, fieldValue, jsonValue, type ValueSql } from "../../compile/values.ts";
import type { GeoPart, ValueReading } from "./field.ts";
import { readableSql } from "./readable.ts";

/** A query of the values that contacts have of one field, by `owner`, and how a row of it is read. */
interface LatestValues {
  readonly rows: string;
  readonly row: FieldRow;
}

/** Selects the rows of a field that the instant asked for knows, as a condition on its table. */
export function rowsOfField(name: string, scope: Scope, clears?: readonly string[]): string {
  const { account, bind, historyAt } = scope;
  const cleared = lastClear(clears, scope);
  const since = cleared === undefined ? "" : ` AND version > ${bind.string(cleared)}`;
  const rows = `account = ${account} AND field = ${bind.string(name)}${since}`;
  return historyAt === undefined ? rows : `${rows} AND at <= ${historyAt}`;
}

/** The value of each contact, as it is declared: of the past the latest of those merged into one, and none that cannot be read so. */
export function latestValues(
  name: string,
  scope: Scope,
  { declared = "auto", clears }: ValueReading = {},
): LatestValues {
  const where = rowsOfField(name, scope, clears);
  const isPast = scope.historyAt !== undefined;
  const current = `(SELECT * FROM contact_fields_current FINAL WHERE ${where})`;
  const { from, contact } = resolvedRows(isPast ? "contact_fields_history" : current, scope);
  const latest = isPast
    ? `SELECT ${contact} AS owner, argMax((kind, text, number), version) AS value FROM ${from} WHERE ${where} GROUP BY owner`
    : `SELECT ${contact} AS owner, (kind, text, number) AS value FROM ${from}`;
  const row = { kind: "value.1", text: "value.2", number: "value.3" };
  const readable = readableSql(declared, row, "exists", scope.bind) ?? "1";
  return { rows: `SELECT owner, value FROM (${latest}) WHERE value.1 != 'removed' AND ifNull(${readable}, 0)`, row };
}

/** Options that narrow a set of values: `part` names a member of a geo value, `also` is a condition that reads no column. */
export interface ValueOptions extends ValueReading {
  readonly part?: GeoPart;
  readonly also?: string;
}

/** Reads the value of a row, or the named part of it. */
export function partOf(row: FieldRow, { part, declared }: ValueOptions, { bind }: Scope): ValueSql {
  if (part === undefined) return fieldValue(row, declared);
  return jsonValue(`if(${row.kind} = 'object', ${row.text}, '')`, [part], bind);
}
