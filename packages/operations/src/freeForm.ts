import type { ErrorDetail } from "@headwater/contracts";
import { deeperThan } from "./contactWrite.ts";

const DEPTH_MAX = 5;

/** Free-form members nest at most five levels. `at` is the pointer to what has them. */
export function checkFreeForm(members: Readonly<Record<string, unknown>>, at: string): ErrorDetail[] {
  return Object.entries(members)
    .filter(([, value]) => typeof value === "object" && value !== null && deeperThan(value, DEPTH_MAX))
    .map(([name]) => ({ path: `${at}/${name}`, code: "out_of_range", message: "Properties nest at most 5 levels." }));
}
