import type { GeoPart, Test } from "../criteria.ts";
import { testSql } from "./conditionSql.ts";
import { resolvedRows, resolvedSet } from "./merges.ts";
import type { Scope } from "./scope.ts";
import { fieldValue, jsonValue, type ValueSql } from "./values.ts";

type Row = Parameters<typeof fieldValue>[0];

/** What narrows a set of values: `part` names a member of a geo value, `also` is a condition that reads no column. */
export interface ValueOptions {
  readonly part?: GeoPart;
  readonly also?: string;
}

/** Contacts with a value of the named field that passes the test. */
export function valueSet(name: string, test: Test, scope: Scope, { part, also }: ValueOptions = {}): string {
  const where = rowsOf(name, scope);
  const condition = (row: Row) => {
    const tested = testSql(partOf(row, part, scope), test, scope);
    return also === undefined ? tested : `(${tested}) AND ${also}`;
  };
  if (scope.historyAt === undefined) {
    const current = condition({ kind: "kind", text: "text", number: "number" });
    return resolvedSet(
      `SELECT groupBitmapState(contact) FROM contact_fields_current FINAL WHERE ${where} AND ${current}${scope.within}`,
      scope,
    );
  }
  const { from, contact } = resolvedRows("contact_fields_history", scope);
  const latest = `SELECT ${contact} AS owner, argMax((kind, text, number), version) AS value FROM ${from} WHERE ${where} GROUP BY owner`;
  const past = condition({ kind: "value.1", text: "value.2", number: "value.3" });
  return scope.addSet(`SELECT groupBitmapState(owner) FROM (${latest}) WHERE ${past}`);
}

/** Contacts for which the named field was ever written, a removal included. */
export function writtenSet(name: string, scope: Scope): string {
  const table = scope.historyAt === undefined ? "contact_fields_current" : "contact_fields_history";
  const where = `${rowsOf(name, scope)}${scope.historyAt === undefined ? scope.within : ""}`;
  return resolvedSet(`SELECT groupBitmapState(contact) FROM ${table} WHERE ${where}`, scope);
}

function rowsOf(name: string, { account, bind, historyAt }: Scope): string {
  const rows = `account = ${account} AND field = ${bind.string(name)}`;
  return historyAt === undefined ? rows : `${rows} AND at <= ${historyAt}`;
}

function partOf(row: Row, part: GeoPart | undefined, { bind }: Scope): ValueSql {
  if (part === undefined) return fieldValue(row);
  return jsonValue(`if(${row.kind} = 'object', ${row.text}, '')`, [part], bind);
}
