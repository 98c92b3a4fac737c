import { latestVersion, passes } from "./latestVersion.ts";
import { numbersOf, resolved, resolvedRows } from "./merges.ts";
import type { Scope } from "./scope.ts";

/** Question to a history of which a contact has one row a version. */
export interface PastRows {
  readonly table: "contact_fields_history" | "memberships_history";
  /** Selects the versions of one thing, a field or a list, that were there at the instant asked for. */
  readonly where: string;
  /** Condition that the latest of them has to pass. */
  readonly condition: string;
}

/**
 * Contacts whose latest version passes. Most contacts have only versions that pass, or only such that fail: one pass tells
 * both by two bitmaps. Versions are grouped for those alone that are in both, which is what costs.
 */
export function pastSet({ table, where, condition }: PastRows, scope: Scope): string {
  const tested = `SELECT contact, ${passes([condition])}`;
  const sides = scope.addSet(
    `SELECT (groupBitmapStateIf(contact, passes), groupBitmapStateIf(contact, NOT passes)) FROM (${tested} FROM ${table} WHERE ${where})`,
  );
  const [passing, failing] = [resolved(`${sides}.1`, scope), resolved(`${sides}.2`, scope)];
  const unsure = scope.addSet(`SELECT ${scope.sets.and(passing, failing)}`);
  // Before all else: few rows are theirs, and what else the others hold need not be read.
  const isTheirs = `contact IN (${numbersOf(unsure, scope)})`;
  const theirs = `(${tested}, ${latestVersion.ranked} FROM ${table} PREWHERE ${isTheirs} WHERE ${where})`;
  const { from, contact } = resolvedRows(theirs, scope);
  const latest = `SELECT ${contact} AS owner FROM ${from} GROUP BY owner HAVING ${latestVersion.passes}`;
  const decided = scope.addSet(`SELECT groupBitmapState(owner) FROM (${latest})`);
  return scope.sets.or(scope.sets.without(passing, unsure), decided);
}
