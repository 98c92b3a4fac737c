import { isObject, type Json, JsonSet, toJson } from "@headwater/contracts";
import { type BodyWarning, readOnlyWarnings } from "@headwater/http";
import type { ReadOnlyMember } from "@headwater/kernel";

/** Members that are measured as a record is read: they differ from one read to the next. */
const MEASURED: ReadonlySet<PropertyKey | undefined> = new Set(["asOf", "problems", "stats"]);

/**
 * Returns a warning for each read-only member of a body whose value is not the stored one: it is ignored. Takes as long as body and record
 * are large, however many members they have.
 */
export function changedMemberWarnings(members: readonly ReadOnlyMember[], record: unknown): BodyWarning[] {
  if (members.length === 0) return [];
  const stored = toJson(record === undefined ? undefined : JSON.parse(JSON.stringify(record)));
  const known = new Map<string, JsonSet>();
  const changed = members.filter(({ path, value }) => {
    if (MEASURED.has(path[0])) return false;
    const names = path.filter((step) => typeof step !== "number");
    const location = JSON.stringify(names);
    const values = known.get(location) ?? new JsonSet(valuesAt(stored, names));
    known.set(location, values);
    return !values.has(toJson(value));
  });
  return readOnlyWarnings(changed, ": the value is not the stored one, and was ignored.");
}

/**
 * Returns the stored values of a member, null for one that is absent. Lines may have been moved or removed: one of an array is compared
 * with those of all its elements.
 */
function valuesAt(stored: Json, names: readonly PropertyKey[]): Json[] {
  let values = [stored];
  for (const name of names) {
    const inner = values.flat();
    values = inner.map((value) => toJson(isObject(value) ? Reflect.get(value, name) : undefined));
  }
  return values.length === 0 ? [null] : values;
}
