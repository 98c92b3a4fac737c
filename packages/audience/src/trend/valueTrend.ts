import { rowsOfField } from "../compile/latestValues.ts";
import { resolvedRows } from "../compile/merges.ts";
import { readableSql } from "../compile/readable.ts";
import type { Scope } from "../compile/scope.ts";
import { partOf, type ValueOptions } from "../compile/valueOptions.ts";
import type { Test } from "../criteria.ts";
import { conditionTests } from "./conditionTests.ts";
import { firstAt, type Points } from "./points.ts";
import { ALWAYS, type RowPoints, type RowTests, rowCodes, together } from "./rowCodes.ts";
import { clearedAt, VERSION_POINTS, versionsSql } from "./versions.ts";

/** Values of a field: a query of `owner`, `kind`, `text`, `number` and what `points` names, removed ones included. */
export interface ValueRows {
  readonly sql: string;
  readonly points: RowPoints;
}

export const VALUE_ROW = { kind: "kind", text: "text", number: "number" };

export function valueRows(name: string, scope: Scope, points: Points, clears?: readonly string[]): ValueRows {
  const { account, bind, within } = scope;
  if (!points.isRecorded) {
    const current = `(SELECT * FROM contact_fields_current FINAL WHERE ${rowsOfField(name, scope, clears)}${within})`;
    const { from, contact } = resolvedRows(current, scope);
    return { sql: `SELECT ${contact} AS owner, kind, text, number FROM ${from}`, points: ALWAYS.points };
  }
  const { from, contact } = resolvedRows("contact_fields_history", scope);
  const sql = versionsSql(
    {
      from,
      where: [`account = ${account}`, `field = ${bind.string(name)}${within}`],
      columns: [`${contact} AS owner`, "kind", "text", "number", "version"],
      key: "owner",
      order: "version",
    },
    scope,
    points,
  );
  const end = [...VERSION_POINTS.end, ...clearedAt(clears, scope, points)];
  return { sql, points: { ...VERSION_POINTS, end } };
}

/** Contacts by a value of the named field, at the points at which they have it. */
export function valueTrend(name: string, test: Test, scope: Scope, points: Points, options: ValueOptions = {}): string {
  const rows = valueRows(name, scope, points, options.clears);
  const tests = together({ where: [], points: rows.points }, testsOf(test, scope, points, options));
  const where = tests.where.map((one) => `(${one})`).join(" AND ") || "1";
  return points.addRows(`SELECT owner, ${rowCodes(tests.points, points)} AS codes FROM (${rows.sql}) WHERE ${where}`);
}

function testsOf(test: Test, scope: Scope, points: Points, options: ValueOptions): RowTests {
  const { part, also, declared = "auto" } = options;
  const value = partOf(VALUE_ROW, { ...(part && { part }), declared }, scope);
  const readable = readableSql(declared, VALUE_ROW, test.kind, scope.bind);
  const where = [readable === undefined ? undefined : `ifNull(${readable}, 0)`, also];
  return together(conditionTests(value, { test, negated: false }, scope, points), {
    ...ALWAYS,
    where: where.filter((one) => one !== undefined),
  });
}

/** Contacts for which the named field was ever written, from then on. */
export function writtenTrend(name: string, scope: Scope, points: Points): string {
  return points.addRows(
    `SELECT owner, ${rowCodes({ ...ALWAYS.points, first: ["seen"] }, points)} AS codes FROM (${writtenRows(name, scope, points)})`,
  );
}

/** A query of `owner` and `seen`, the point from which on the field was written. What a merge removed of a merged contact was not written. */
export function writtenRows(name: string, scope: Scope, points: Points): string {
  const { account, bind, within } = scope;
  const where = `account = ${account} AND field = ${bind.string(name)}${within}`;
  if (!points.isRecorded) {
    const { from, contact } = resolvedRows(
      `(SELECT contact, kind FROM contact_fields_current FINAL WHERE ${where})`,
      scope,
    );
    return `SELECT ${contact} AS owner, toInt32(0) AS seen FROM ${from} WHERE r.kind != 'removed' OR ${contact} = r.contact`;
  }
  const { from, contact } = resolvedRows("contact_fields_history", scope);
  return `SELECT ${contact} AS owner, ${firstAt("at", points, bind)} AS seen FROM ${from} WHERE ${where}`;
}
