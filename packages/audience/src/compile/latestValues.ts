import type { ValueReading } from "../leaves/field/field.ts";
import { lastClear } from "./clears.ts";
import { resolvedRows } from "./merges.ts";
import { readableSql } from "./readable.ts";
import type { Scope } from "./scope.ts";
import type { FieldRow } from "./values.ts";

/** A query of the values that contacts have of one field, by `owner`, and how a row of it is read. */
export interface LatestValues {
  readonly rows: string;
  readonly row: FieldRow;
}

/** Selects the rows of a field that the moment asked for knows, as a condition on its table. */
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
