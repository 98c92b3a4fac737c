import { bounds } from "./bounds.ts";
import type { ErrorDetail } from "./errorCodes.ts";
import { checkNames } from "./memberNames.ts";

const { propertiesDepth } = bounds;
const rules = {
  levelsMax: propertiesDepth,
  tooDeep: `Properties are nested more than ${propertiesDepth} levels deep.`,
  isNested: true,
} as const;

/** Free-form members nest at most five levels, and their names are bounded. `at` is the pointer to what has them. */
export function checkFreeForm(members: Readonly<Record<string, unknown>>, at: string): ErrorDetail[] {
  return Object.entries(members).flatMap(([name, value]) =>
    typeof value === "object" && value !== null ? checkNames(value, { ...rules, at: `${at}/${name}` }) : [],
  );
}
