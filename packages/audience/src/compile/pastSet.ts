import { latestVersion, passes } from "./latestVersion.ts";
import { numbersOf, resolved, resolvedRows } from "./merges.ts";
import type { Scope } from "./scope.ts";

/**
 * Contacts whose latest version of a field passes. Most contacts have only versions that pass, or only such that fail: one pass tells
 * both by two bitmaps. Versions are grouped for those alone that are in both, which is what costs.
 * @param where selects the versions that were there at the moment asked for.
 */
export function pastSet(where: string, condition: string, scope: Scope): string {
  const tested = `SELECT contact, ${passes([condition])}`;
  const rows = `FROM contact_fields_history WHERE ${where}`;
  const sides = scope.addSet(
    `SELECT (groupBitmapStateIf(contact, passes), groupBitmapStateIf(contact, NOT passes)) FROM (${tested} ${rows})`,
  );
  const [passing, failing] = [resolved(`${sides}.1`, scope), resolved(`${sides}.2`, scope)];
  const unsure = scope.addSet(`SELECT ${scope.sets.and(passing, failing)}`);
  const theirs = `(${tested}, ${latestVersion.ranked} ${rows} AND contact IN (${numbersOf(unsure, scope)}))`;
  const { from, contact } = resolvedRows(theirs, scope);
  const latest = `SELECT ${contact} AS owner FROM ${from} GROUP BY owner HAVING ${latestVersion.passes}`;
  const decided = scope.addSet(`SELECT groupBitmapState(owner) FROM (${latest})`);
  return scope.sets.or(scope.sets.without(passing, unsure), decided);
}
