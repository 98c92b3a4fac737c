import { lastClear } from "../compile/latestVersion.ts";
import { resolvedRows } from "../compile/merges.ts";
import type { Scope } from "../compile/scope.ts";
import type { FieldTarget } from "../leaves/field/field.ts";
import { textsTrend } from "../leaves/field/trend.ts";
import type { ListReference } from "../leaves/list/list.ts";
import { pastMembers } from "../leaves/list/trend.ts";
import type { Points } from "./points.ts";
import { ALWAYS, rowCodes } from "./rowCodes.ts";
import { complementOf, steps } from "./steps.ts";
import { clearedAt, VERSION_POINTS, versionsSql } from "./versions.ts";

/** Values by which contacts are grouped: those of a field, of an array each element, or the ids of the lists they are in. */
export type SegmentSource =
  | { readonly kind: "field"; readonly target: FieldTarget }
  | { readonly kind: "lists"; readonly lists: readonly ListReference[] };

/** A query of `owner`, `text` and `codes`. */
export function segmentTexts(source: SegmentSource, scope: Scope, points: Points): string {
  return source.kind === "field" ? textsTrend(source.target, scope, points) : listTexts(source.lists, scope, points);
}

/**
 * An array of the segments of an owner with the points at which it is in them, and last of all the points at which it is in none.
 * @param rows the owner's rows: pairs of a segment and codes.
 */
export function segmentsOf(rows: string, none: number): string {
  const codesOf = (of: string) => steps(`arrayFlatten(arrayMap(one -> one.2, ${of}))`);
  const own = `arrayMap(place -> (place, ${codesOf(`arrayFilter(one -> one.1 = place, ${rows})`)}), arrayDistinct(arrayMap(one -> one.1, ${rows})))`;
  return `arrayPushBack(${own}, (toUInt16(${none}), ${complementOf(codesOf(rows))}))`;
}

function listTexts(lists: readonly ListReference[], scope: Scope, points: Points): string {
  const idsOf = (some: readonly ListReference[]) => `list IN (${[0, ...some.map(({ id }) => id)].join(", ")})`;
  if (!points.isRecorded) return members(lists, idsOf(lists), scope, points);
  const [always, byTurns] = [lists.filter(({ before }) => !before), lists.filter(({ before }) => before)];
  const queries = [membersOfLists(always, idsOf(always), scope, points)];
  return [...queries, ...byTurns.flatMap((list) => membersByTurns(list, scope, points))].join(" UNION ALL ");
}

function members(lists: readonly ListReference[], ids: string, scope: Scope, points: Points): string {
  const since = lists.flatMap(({ id, clears }) => {
    const cleared = lastClear(clears, scope);
    return cleared === undefined ? [] : [` AND NOT (list = ${id} AND version <= ${scope.bind.string(cleared)})`];
  });
  const where = `account = ${scope.account} AND ${ids}${since.join("")}${scope.within}`;
  const current = `(SELECT * FROM memberships_current FINAL WHERE ${where})`;
  const { from, contact } = resolvedRows(current, scope);
  return `SELECT ${contact} AS owner, toString(list) AS text, ${rowCodes(ALWAYS.points, points)} AS codes FROM ${from} WHERE present = 1`;
}

function membersOfLists(lists: readonly ListReference[], ids: string, scope: Scope, points: Points): string {
  const { from, contact } = resolvedRows("memberships_history", scope);
  const columns = [`${contact} AS owner`, "list", "present", "version"];
  const where = [`account = ${scope.account}`, `${ids}${scope.within}`];
  const sql = versionsSql({ from, where, columns, key: "owner, list", order: "version" }, scope, points);
  const ends = lists.flatMap(({ id, clears }) =>
    clearedAt(clears, scope, points).map((end) => `if(list = ${id}, ${end}, toInt32(${points.end}))`),
  );
  const codes = rowCodes({ ...VERSION_POINTS, end: [...VERSION_POINTS.end, ...ends] }, points);
  return `SELECT owner, toString(list) AS text, ${codes} AS codes FROM (${sql}) WHERE present = 1`;
}

/** Members of what a name means at each point, under the list that it means at the last one. */
function membersByTurns(list: ListReference, scope: Scope, points: Points): string[] {
  return pastMembers(list, scope, points).map(({ sql, points: own }) => {
    const codes = rowCodes(own, points);
    return `SELECT owner, '${list.id}' AS text, ${codes} AS codes FROM (${sql}) WHERE present = 1`;
  });
}
