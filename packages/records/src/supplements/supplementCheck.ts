import { type ErrorDetail, shapes } from "@headwater/contracts";
import { checkChosenNames } from "../fold/chosenNames.ts";

/** Checks the bounds of a record that its shape cannot express. @param at pointer to the record. */
export function checkRecord(record: Readonly<Record<string, unknown>>, at: string): ErrorDetail[] {
  const details: ErrorDetail[] = [];
  const entries = Object.entries(record);
  if (entries.length > shapes.bounds.fieldsPerSupplementRecord) {
    details.push({ path: at, code: "too_many", message: "A record can have at most 1,000 fields." });
  }
  return [...details, ...checkChosenNames(entries, at)];
}
