import { sameJson, type Version, type Written } from "@headwater/contracts";

/** Effect of a write of one member; one that is not superseded takes the place of what was there. */
export type WriteEffect = "superseded" | "unchanged" | "changed";

/** The last write wins; an equal value only moves the version, a removal of nothing leaves a tombstone. */
export function effectOf(current: Written | undefined, { value, version }: Written): WriteEffect {
  if (current !== undefined && current.version > version) return "superseded";
  return sameJson(current?.value ?? null, value) ? "unchanged" : "changed";
}

/** Returns the later of two versions: that of an edit, which comes in order of arrival. */
export function later(current: Written | undefined, version: Version): Version {
  return current !== undefined && current.version > version ? current.version : version;
}
