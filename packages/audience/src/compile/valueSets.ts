import type { Test } from "../criteria.ts";
import { valueTrend, writtenTrend } from "../trend/valueTrend.ts";
import { testSql } from "./conditionSql.ts";
import { rowsOfField } from "./latestValues.ts";
import { mergedNumbers, resolvedSet } from "./merges.ts";
import { pastSet } from "./pastSet.ts";
import { readableSql } from "./readable.ts";
import type { Scope } from "./scope.ts";
import { partOf, type ValueOptions } from "./valueOptions.ts";
import type { FieldRow } from "./values.ts";

/** Contacts with a value of the named field that passes the test. */
export function valueSet(name: string, test: Test, scope: Scope, options: ValueOptions = {}): string {
  if (scope.points !== undefined) return valueTrend(name, test, scope, scope.points, options);
  const where = rowsOfField(name, scope, options.clears);
  const condition = conditionOf({ kind: "kind", text: "text", number: "number" }, test, scope, options);
  if (scope.historyAt === undefined) {
    return resolvedSet(
      `SELECT groupBitmapState(contact) FROM contact_fields_current FINAL WHERE ${where} AND ${condition}${scope.within}`,
      scope,
    );
  }
  return pastSet({ table: "contact_fields_history", where, condition }, scope);
}

function conditionOf(row: FieldRow, test: Test, scope: Scope, { part, also, declared = "auto" }: ValueOptions): string {
  const tested = testSql(partOf(row, { ...(part && { part }), declared }, scope), test, scope);
  const readable = readableSql(declared, row, test.kind, scope.bind);
  const conditions = [tested, readable, also].filter((condition) => condition !== undefined);
  return conditions.length === 1 ? tested : conditions.map((condition) => `(${condition})`).join(" AND ");
}

/** Contacts for which the named field was ever written, a removal included. What a merge removed of a merged contact is none. */
export function writtenSet(name: string, scope: Scope): string {
  if (scope.points !== undefined) return writtenTrend(name, scope, scope.points);
  const where = rowsOfField(name, scope);
  const written = `SELECT groupBitmapState(contact) FROM`;
  if (scope.historyAt !== undefined) return resolvedSet(`${written} contact_fields_history WHERE ${where}`, scope);
  const rows = `${where}${scope.within}`;
  if (!scope.hasMerges) return scope.addSet(`${written} contact_fields_current WHERE ${rows}`);
  const isOwn = `(kind != 'removed' OR NOT bitmapContains(${mergedNumbers(scope)}, contact))`;
  return resolvedSet(`${written} contact_fields_current FINAL WHERE ${rows} AND ${isOwn}`, scope);
}
