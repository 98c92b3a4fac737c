import { identifierOfChannel } from "@headwater/contracts";
import { resolvedRows } from "../../compile/merges.ts";
import type { Scope } from "../../compile/scope.ts";
import { columnValue } from "../../compile/values.ts";
import type { Test } from "../../criteria.ts";
import { conditionTests } from "../../trend/conditionTests.ts";
import { firstAt, type Points } from "../../trend/points.ts";
import { ALWAYS, type RowPoints, type RowTests, rowCodes, together } from "../../trend/rowCodes.ts";
import { withoutSteps } from "../../trend/steps.ts";
import { clearedAt, VERSION_POINTS, versionsSql } from "../../trend/versions.ts";
import { textsSql } from "./attributeValues.ts";
import type { FieldTarget, ValueReading } from "./field.ts";
import { partOf, rowsOfField, type ValueOptions } from "./fieldRows.ts";
import { readableSql } from "./readable.ts";

/** Values of a field: a query of `owner`, `kind`, `text`, `number` and what `points` names, removed ones included. */
interface ValueRows {
  readonly sql: string;
  readonly points: RowPoints;
}

const VALUE_ROW = { kind: "kind", text: "text", number: "number" };

function valueRows(name: string, scope: Scope, points: Points, clears?: readonly string[]): ValueRows {
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
function writtenRows(name: string, scope: Scope, points: Points): string {
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

/** A query of `owner`, `text` and `codes`: what the field says of each contact at which points, of an array each element. */
export function textsTrend(target: FieldTarget, scope: Scope, points: Points): string {
  switch (target.kind) {
    case "value":
      return valueTexts(target.name, scope, points, target);
    case "address":
      return addressTexts(target.channel, scope, points);
    case "status":
      return statusTexts(target.channel, scope, points);
    default:
      return `SELECT contact AS owner, cid AS text, ${rowCodes(ALWAYS.points, points)} AS codes FROM contacts_current FINAL WHERE account = ${scope.account} AND deleted = 0${scope.within}`;
  }
}

/** Selects the statuses of a channel: `none` where there is an address without one. */
function statusTexts(channel: string, scope: Scope, points: Points): string {
  const statuses = valueTexts(`channels.${channel}.subscribeStatus`, scope, points);
  const addressed = `SELECT owner, codes FROM (${addressTexts(channel, scope, points)})`;
  const known = `SELECT owner, groupArrayArray(codes) AS codes FROM (${statuses}) GROUP BY owner`;
  const none = `SELECT t.owner AS owner, 'none' AS text, ${withoutSteps("t.codes", "s.codes")} AS codes`;
  return `${statuses} UNION ALL ${none} FROM (${addressed}) AS t LEFT JOIN (${known}) AS s ON t.owner = s.owner`;
}

/** An address is the one that was written; else the identifier that is known under the channel's name. */
function addressTexts(channel: string, scope: Scope, points: Points): string {
  const name = `channels.${channel}.address`;
  const attached = valueTexts(`identifiers.${identifierOfChannel(channel)}`, scope, points);
  return `${valueTexts(name, scope, points)} UNION ALL ${unwrittenTexts(attached, name, scope, points)}`;
}

/** Texts of contacts up to the point from which on the named field was written. */
function unwrittenTexts(texts: string, name: string, scope: Scope, points: Points): string {
  const written = `SELECT owner, min(seen) AS seen FROM (${writtenRows(name, scope, points)}) GROUP BY owner`;
  const gone = "if(w.owner = 0, emptyArrayInt32(), [toInt32(w.seen * 2)])";
  return `SELECT t.owner AS owner, t.text AS text, ${withoutSteps("t.codes", gone)} AS codes FROM (${texts}) AS t LEFT JOIN (${written}) AS w ON t.owner = w.owner`;
}

function valueTexts(
  name: string,
  scope: Scope,
  points: Points,
  options: ValueReading & { readonly part?: string } = {},
): string {
  const { declared = "auto", clears } = options;
  const { sql, points: own } = valueRows(name, scope, points, clears);
  const readable = readableSql(declared, VALUE_ROW, "exists", scope.bind) ?? "1";
  const texts = `arrayJoin(arrayDistinct(${textsSql(VALUE_ROW, options, scope.bind)}))`;
  // A condition in the same query would test the texts instead of the value: they have the name of its column.
  const rows = `SELECT * FROM (${sql}) WHERE kind != 'removed' AND ifNull(${readable}, 0)`;
  return `SELECT owner, ${texts} AS text, ${rowCodes(own, points)} AS codes FROM (${rows})`;
}

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
