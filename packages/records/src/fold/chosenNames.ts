import {
  checkNames,
  type ErrorDetail,
  isLongName,
  isLostNumber,
  longName,
  lostNumber,
  shapes,
} from "@headwater/contracts";
import { DETAILS_FOUND_MAX, pointerStep } from "@headwater/kernel";

/** The 64 levels of a body, less those above a value in the deepest of them: batch, items, item, contact, attributes. */
const rules = {
  levelsMax: shapes.bounds.bodyDepth - 5,
  tooDeep: "The value is nested more than 64 levels deep.",
  isNested: false,
} as const;

/** Names that a sender gives attributes of a contact or fields of a record, and what is nested under them. */
export function checkChosenNames(entries: readonly (readonly [string, unknown])[], at: string): ErrorDetail[] {
  const details: ErrorDetail[] = [];
  for (const [name, value] of entries) {
    if (isLongName(name)) {
      details.push(longName(name, at));
    } else if (isLostNumber(value)) {
      details.push(lostNumber(`${at}/${pointerStep(name)}`));
    } else if (typeof value === "object" && value !== null) {
      details.push(...checkNames(value, { ...rules, at: `${at}/${pointerStep(name)}` }));
    }
    if (details.length >= DETAILS_FOUND_MAX) return details;
  }
  return details;
}
