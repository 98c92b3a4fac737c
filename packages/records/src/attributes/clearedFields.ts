import type { AttributeClears } from "../contacts/attributeClears.ts";

/** Rows of `contact_fields_history` whose value no deletion of its attribute's definition took. Goes with `clearedFields`. */
export const FIELD_IS_KEPT =
  "version > {clearedVersions: Array(String)}[indexOf({clearedFields: Array(String)}, field)]";

/** Parameters of `FIELD_IS_KEPT`. */
export function clearedFields(clears: AttributeClears): {
  readonly clearedFields: readonly string[];
  readonly clearedVersions: readonly string[];
} {
  return {
    clearedFields: [...clears.keys()].map((name) => `attributes.${name}`),
    clearedVersions: [...clears.values()],
  };
}
