import { eligibleSelection, nodeSelection } from "../compile/nodeSelection.ts";
import type { Scope } from "../compile/scope.ts";
import { intersect, type Selection } from "../compile/selection.ts";
import type { CriteriaNode } from "../criteria.ts";
import type { LeafTable } from "../leaves/leaf.ts";
import { leaves } from "../leaves/leaves.ts";
import { firstAt, type Points } from "./points.ts";
import { ALWAYS, rowCodes } from "./rowCodes.ts";
import { type SegmentSource, segmentsOf, segmentTexts } from "./segments.ts";
import { allOf, steps, withoutSteps } from "./steps.ts";
import { createTrendQuery, STEPS, type TrendOptions } from "./trendQuery.ts";

export interface CompiledTrend {
  readonly sql: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** Segments of a trend: the values that have one of their own. All others are one together, and so is having none. */
export interface TrendSegments {
  readonly source: SegmentSource;
  readonly values: readonly string[];
}

/**
 * Compiles checked criteria to one query over the history of some contacts: every leaf returns for each contact the points at which it holds,
 * logic is set algebra on them, and what is left is counted by the points at which contacts enter and leave.
 *
 * Its rows are `segment` (0 without segments; else the rank of its value, then the others, then none), `point` (the index of an instant),
 * `entered` and `gone`: contacts that are in at the point and were not at the one before, and the reverse. Points without either have no row.
 */
export function compileTrend(
  criteria: CriteriaNode,
  options: TrendOptions,
  segments?: TrendSegments,
  table: LeafTable = leaves,
): CompiledTrend {
  const { wholes, toCompiled, end } = wholeTrends({ criteria, table }, options, segments?.source, ({ bind }) => {
    if (segments === undefined) return "toUInt16(0)";
    const { values } = segments;
    return `toUInt16(transform(text, ${bind.strings(values)}, ${bind.ints(values.map((_, index) => index))}, toInt64(${values.length})))`;
  });
  const parts = segments === undefined ? "[(toUInt16(0), whole)]" : segmentsOf("own", segments.values.length + 1);
  const codes = segments === undefined ? "part.2" : allOf(["whole", "part.2"]);
  const counted = `SELECT part.1 AS segment, arrayJoin(${codes}) AS code FROM (SELECT whole, arrayJoin(${parts}) AS part FROM (${wholes}) WHERE notEmpty(whole))`;
  const sums = "countIf(bitAnd(code, 1) = 0) AS entered, countIf(bitAnd(code, 1) = 1) AS gone";
  return toCompiled(
    `SELECT segment, intDiv(code, 2) AS point, ${sums} FROM (${counted}) WHERE code < ${2 * end} GROUP BY segment, point`,
  );
}

/**
 * Compiles to the values that the audience has at any instant: rows of `text`, `point`, and `change`, the contacts with that value that
 * enter at the point less those that leave.
 */
export function compileTrendValues(
  criteria: CriteriaNode,
  options: TrendOptions,
  source: SegmentSource,
  table: LeafTable = leaves,
): CompiledTrend {
  const { wholes, toCompiled, end } = wholeTrends({ criteria, table }, options, source, () => "text");
  const values = `SELECT owner, whole, arrayJoin(own) AS value FROM (${wholes}) WHERE notEmpty(whole)`;
  const counted = allOf(["any(whole)", steps("groupArrayArray(value.2)")]);
  const codes = `SELECT value.1 AS text, arrayJoin(${counted}) AS code FROM (${values}) GROUP BY owner, text`;
  return toCompiled(
    `SELECT text, intDiv(code, 2) AS point, sum(1 - 2 * bitAnd(code, 1)) AS change FROM (${codes}) WHERE code < ${2 * end} GROUP BY text, point`,
  );
}

/**
 * Compiles to the points at which each contact is in the audience: rows of `contact` and `codes`, ascending, which are `point * 2` where the
 * contact enters and `point * 2 + 1` where it leaves. A contact that is never in it has no row.
 */
export function compileTrendMembers(
  criteria: CriteriaNode,
  options: TrendOptions,
  table: LeafTable = leaves,
): CompiledTrend {
  const { wholes, toCompiled } = wholeTrends({ criteria, table }, options, undefined, () => "toUInt16(0)");
  return toCompiled(`SELECT owner AS contact, whole AS codes FROM (${wholes}) WHERE notEmpty(whole)`);
}

type Query = ReturnType<typeof createTrendQuery>;

/** A query of each `owner` with its `whole`, the points at which it is in the audience, and of `own`, its pairs of a segment and codes. */
function wholeTrends(
  { criteria, table }: { readonly criteria: CriteriaNode; readonly table: LeafTable },
  options: TrendOptions,
  source: SegmentSource | undefined,
  segmentSql: (scope: Query["scope"]) => string,
) {
  const { scope, points, leaves: leafRows, within } = createTrendQuery(options);
  const live = liveTrend(scope, points, within);
  const root = nodeSelection(criteria, { scope, table, explained: [] });
  const { eligibleFor } = options;
  const selected = eligibleFor ? intersect(STEPS, root, eligibleSelection(eligibleFor, scope)) : root;
  const segment = segmentSql(scope);
  const isText = segment === "text";
  const none = isText ? "''" : "toUInt16(0)";
  const all = leafRows.map(
    ({ sql }, position) =>
      `SELECT toUInt16(${position}) AS leaf, toUInt64(owner) AS owner, ${none} AS segment, codes FROM (${sql}) WHERE notEmpty(codes)`,
  );
  if (source !== undefined) {
    const texts = segmentTexts(source, scope, points);
    all.push(
      `SELECT toUInt16(${all.length}) AS leaf, toUInt64(owner) AS owner, ${segment} AS segment, codes FROM (${texts}) WHERE notEmpty(codes)`,
    );
  }
  const columns = leafRows.map(
    ({ holds }, place) => `${steps(`groupArrayArrayIf(codes, leaf = ${place})`, holds)} AS s${place}`,
  );
  const own = `groupArrayIf((segment, codes), leaf = ${leafRows.length}) AS own`;
  const owners = `SELECT owner, ${[...columns, own].join(", ")} FROM (${all.join("\n UNION ALL ")}) GROUP BY owner HAVING notEmpty(${live})`;
  const wholes = `SELECT owner, own, ${amongLive(live, selected)} AS whole FROM (${owners})`;
  const toCompiled = (sql: string): CompiledTrend => ({ sql, params: scope.bind.params });
  return { wholes, toCompiled, end: points.end };
}

function amongLive(live: string, { set, complement }: Selection): string {
  return complement ? withoutSteps(live, set) : allOf([live, set]);
}

/** All contacts that are there, from the point on at which they were known. */
function liveTrend(scope: Scope, points: Points, range: string): string {
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
