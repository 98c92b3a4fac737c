import { resolvedRows } from "../compile/merges.ts";
import { sampleCondition } from "../compile/sampleLeaf.ts";
import type { Scope } from "../compile/scope.ts";
import type { LeafSet } from "../compile/selection.ts";
import { columnValue } from "../compile/values.ts";
import type { Test } from "../criteria.ts";
import type { SampleLeaf } from "../leaves/sample/sample.ts";
import { conditionTests } from "./conditionTests.ts";
import { firstAt, type Points } from "./points.ts";
import { ALWAYS, rowCodes } from "./rowCodes.ts";

type Column = "cid" | "created_at" | "modified_at";

/** Contacts by a column of their own. */
export function columnTrend(column: Column, test: Test, scope: Scope, points: Points): string {
  if (column === "modified_at" && points.isRecorded) return modifiedTrend(test, scope, points);
  const value = columnValue(column, column === "cid" ? "string" : "date");
  const tests = conditionTests(value, { test, negated: false }, scope, points);
  const codes = rowCodes(tests.points, points);
  if (column === "cid" && test.kind === "textIn") {
    // The cID of a contact that was merged names its survivor.
    const named = [`account = ${scope.account}`, ...tests.where].join(" AND ");
    const { from, contact } = resolvedRows(
      `(SELECT contact FROM contacts_current FINAL WHERE ${named}${scope.within})`,
      scope,
    );
    return points.addRows(`SELECT ${contact} AS owner, ${codes} AS codes FROM ${from}`);
  }
  const where = [`account = ${scope.account}`, "deleted = 0", "merged_into = 0", ...tests.where].join(" AND ");
  return points.addRows(
    `SELECT contact AS owner, ${codes} AS codes FROM contacts_current FINAL WHERE ${where}${scope.within}`,
  );
}

export function sampleTrend(leaf: SampleLeaf, scope: Scope, points: Points): LeafSet {
  const where = `account = ${scope.account} AND deleted = 0 AND ${sampleCondition(leaf, scope)}${scope.within}`;
  const codes = rowCodes(ALWAYS.points, points);
  const sql = `SELECT contact AS owner, ${codes} AS codes FROM contacts_current FINAL WHERE ${where}`;
  return { set: points.addRows(sql), complement: false };
}

/** The latest write of a field that was seen, or the creation. */
function modifiedTrend(test: Test, scope: Scope, points: Points): string {
  const { account, bind, within } = scope;
  const written = `SELECT contact, at AS moment, ${firstAt("at", points, bind)} AS seen FROM contact_fields_history
    WHERE account = ${account} AND at <= ${points.last}${within}`;
  const created = `SELECT contact, created_at AS moment, toInt32(0) AS seen FROM contacts_current FINAL WHERE account = ${account}${within}`;
  const { from, contact } = resolvedRows(`(${created} UNION ALL ${written})`, scope);
  const latest = `SELECT ${contact} AS owner, seen AS first, max(moment) AS modified FROM ${from} GROUP BY owner, first`;
  const later = `ORDER BY modified DESC RANGE BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING`;
  const until = `toInt32(${points.end} - max(${points.end} - first) OVER (PARTITION BY owner ${later})) AS until`;
  const numbered = `SELECT owner, first, toUnixTimestamp64Milli(modified) AS modified FROM (${latest})`;
  const rows = `SELECT owner, first, ${until}, fromUnixTimestamp64Milli(modified, 'UTC') AS moment FROM (${numbered})`;
  const tests = conditionTests(columnValue("moment", "date"), { test, negated: false }, scope, points);
  const codes = rowCodes({ first: ["first"], end: ["until"], also: tests.points.also }, points);
  return points.addRows(`SELECT owner, ${codes} AS codes FROM (${rows}) WHERE ${["1", ...tests.where].join(" AND ")}`);
}

/** All contacts that are there, from the point on at which they were known. */
export function liveTrend(scope: Scope, points: Points, range: string): string {
  const { account, bind } = scope;
  const merged = scope.hasMerges
    ? ` AND contact NOT IN (SELECT contact FROM contact_aliases FINAL WHERE account = ${account} AND survivor > 0)`
    : "";
  const first = points.isRecorded ? [firstAt("created_at", points, bind)] : [];
  const codes = rowCodes({ ...ALWAYS.points, first }, points);
  return points.addRows(
    `SELECT contact AS owner, ${codes} AS codes FROM contacts_current FINAL WHERE account = ${account} AND deleted = 0${merged}${range}`,
  );
}
