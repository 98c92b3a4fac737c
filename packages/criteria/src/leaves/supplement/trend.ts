import { comparisonSql } from "../../compile/counting.ts";
import { lastClear } from "../../compile/latestVersion.ts";
import { resolvedRows } from "../../compile/merges.ts";
import type { Scope } from "../../compile/scope.ts";
import type { LeafSet } from "../../compile/selection.ts";
import { jsonValue } from "../../compile/values.ts";
import { conditionTests } from "../../trend/conditionTests.ts";
import type { Points } from "../../trend/points.ts";
import { ALWAYS, rowCodes, together } from "../../trend/rowCodes.ts";
import { allOf, steps } from "../../trend/steps.ts";
import { clearedAt, VERSION_POINTS, versionsSql } from "../../trend/versions.ts";
import { textsTrend } from "../field/trend.ts";
import { recordValue } from "./compile.ts";
import type { SupplementLeaf } from "./supplement.ts";

/** Contacts by how many records of the table pass and belong to them. */
export function supplementTrend(leaf: SupplementLeaf, scope: Scope, points: Points): LeafSet {
  const { holds, complement } = comparisonSql(leaf.count);
  const owned =
    leaf.join === undefined ? linkedRecords(leaf, scope, points) : joinedRecords(leaf, leaf.join, scope, points);
  return { set: points.addRows(owned, holds), complement };
}

/** A query of the records' `id`, `contact`, `document` and `codes`. */
function passingRecords(leaf: SupplementLeaf, scope: Scope, points: Points): string {
  const { table, where } = leaf;
  const rows = [`account = ${scope.account}`, `supplement = ${scope.bind.uint(table.id)}`];
  const records = points.isRecorded ? pastRecords(leaf, rows, scope, points) : presentRecords(leaf, rows, scope);
  const conditions = where.map((property) =>
    conditionTests(recordValue(property, scope), property.condition, scope, points),
  );
  const tests = together({ where: ["deleted = 0"], points: records.points }, ...conditions);
  return `SELECT id, contact, document, ${rowCodes(tests.points, points)} AS codes FROM (${records.sql}) WHERE ${tests.where.join(" AND ")}`;
}

const COLUMNS = ["id", "contact", "created_at", "modified_at", "document", "deleted", "version"];

function presentRecords({ table }: SupplementLeaf, rows: readonly string[], scope: Scope) {
  const cleared = lastClear(table.clears, scope);
  const since = cleared === undefined ? [] : [`version > ${scope.bind.string(cleared)}`];
  const where = [...rows, ...since].join(" AND ");
  return {
    sql: `SELECT ${COLUMNS.join(", ")} FROM supplement_records_current FINAL WHERE ${where}`,
    points: ALWAYS.points,
  };
}

function pastRecords({ table }: SupplementLeaf, where: readonly string[], scope: Scope, points: Points) {
  const sql = versionsSql(
    {
      from: "supplement_records_history",
      where,
      columns: [...COLUMNS, "revision"],
      key: "id",
      order: "version, revision",
    },
    scope,
    points,
  );
  return {
    sql,
    points: { ...VERSION_POINTS, end: [...VERSION_POINTS.end, ...clearedAt(table.clears, scope, points)] },
  };
}

/** Records of a table that carries contacts; a record belongs to one at a time. */
function linkedRecords(leaf: SupplementLeaf, scope: Scope, points: Points): string {
  const rows = `(SELECT * FROM (${passingRecords(leaf, scope, points)}) WHERE contact > 0${scope.within})`;
  const { from, contact } = resolvedRows(rows, scope);
  return `SELECT ${contact} AS owner, codes FROM ${from}`;
}

/** Records whose field has a text that the contact's field has at the same point; of arrays any element. */
function joinedRecords(
  leaf: SupplementLeaf,
  join: NonNullable<SupplementLeaf["join"]>,
  scope: Scope,
  points: Points,
): string {
  const value = jsonValue("document", join.record, scope.bind);
  const texts = `if(${value.isArray}, ${value.elements}, [${value.text()}])`;
  const records = `SELECT id, codes, arrayJoin(arrayDistinct(${texts})) AS text FROM (${passingRecords(leaf, scope, points)})`;
  const known = `SELECT id, codes, assumeNotNull(text) AS text FROM (${records}) WHERE text IS NOT NULL`;
  const both = `SELECT c.owner AS owner, k.id AS id, ${allOf(["c.codes", "k.codes"])} AS codes FROM (${textsTrend(join.contact, scope, points)}) AS c INNER JOIN (${known}) AS k ON c.text = k.text`;
  return `SELECT owner, ${steps("groupArrayArray(codes)")} AS codes FROM (${both}) GROUP BY owner, id`;
}
