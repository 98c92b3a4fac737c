import { timeOfVersion } from "@headwater/contracts";
import type { Scope } from "../compile/scope.ts";
import { firstAt, type Points } from "./points.ts";
import type { RowPoints } from "./rowCodes.ts";

/** Rows of a history, of which the latest seen at a point counts there. */
export interface History {
  /** A table or a subquery with its columns. */
  readonly from: string;
  readonly where: readonly string[];
  /** Columns that are needed, each as `expression AS name`. */
  readonly columns: readonly string[];
  /** The name of the column by which rows are versions of one thing. */
  readonly key: string;
  /** Columns that order the versions. */
  readonly order: string;
}

/** The points of a row of `versionsSql`. */
export const VERSION_POINTS: RowPoints = { first: ["seen"], end: ["until"], also: [] };

/** A query of the versions, each with the points `seen` and `until` between which it is the latest. */
export function versionsSql({ from, where, columns, key, order }: History, { bind }: Scope, points: Points): string {
  const seen = `${firstAt("at", points, bind)} AS seen`;
  const rows = `SELECT ${[...columns, seen].join(", ")} FROM ${from} WHERE ${[...where, `at <= ${points.last}`].join(" AND ")}`;
  return `SELECT *, lead(seen, 1, toInt32(${points.end})) OVER (PARTITION BY ${key} ORDER BY ${order}) AS until FROM (${rows})`;
}

/** The points at which a row of that version was not cleared yet: all that a clear has seen are gone from it on. */
export function clearedAt(clears: readonly string[] = [], { bind }: Scope, { bounds, end }: Points): string[] {
  if (clears.length === 0) return [];
  const cases = clears.toSorted().map((clear) => {
    const time = timeOfVersion(clear);
    const index = bounds.findIndex((bound) => bound >= time);
    return `version <= ${bind.string(clear)}, toInt32(${index < 0 ? end : index})`;
  });
  return [`multiIf(${cases.join(", ")}, toInt32(${end}))`];
}
