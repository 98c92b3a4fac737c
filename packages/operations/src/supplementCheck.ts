import { type ErrorDetail, shapes } from "@headwater/contracts";
import { pointerStep } from "@headwater/kernel";
import { deeperThan } from "./contactWrite.ts";

/** The 64 levels of a body, less those above a field's value in the deepest of them: batch, items, item, records, record. */
const DEPTH_MAX = shapes.bounds.bodyDepth - 5;

/** Bounds of a record that a shape cannot say. `at` is the pointer to it. */
export function checkRecord(record: Readonly<Record<string, unknown>>, at: string): ErrorDetail[] {
  const { attributeKeyBytes, fieldsPerSupplementRecord } = shapes.bounds;
  const details: ErrorDetail[] = [];
  const entries = Object.entries(record);
  if (entries.length > fieldsPerSupplementRecord) {
    details.push({ path: at, code: "too_many", message: "A record has at most 1,000 fields." });
  }
  for (const [name, value] of entries) {
    if (name.length > attributeKeyBytes / 4 && Buffer.byteLength(name) > attributeKeyBytes) {
      details.push({ path: at, code: "too_long", message: "A field's name has at most 1,024 bytes." });
    }
    if (typeof value === "object" && value !== null && deeperThan(value, DEPTH_MAX)) {
      details.push({
        path: `${at}/${pointerStep(name)}`,
        code: "out_of_range",
        message: "Nesting is at most 64 levels.",
      });
    }
  }
  return details;
}
