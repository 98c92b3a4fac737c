import type { ErrorDetail } from "@headwater/contracts";
import type { z } from "zod";
import { pointerOf } from "./unknownMembers.ts";

const DETAILS_MAX = 100;

const issueCodes: Readonly<Record<string, string>> = {
  invalid_type: "type_mismatch",
  too_big: "out_of_range",
  too_small: "out_of_range",
  invalid_union: "type_mismatch",
};

/** Turns zod's findings in an item into details of the answer; unknown members are no error. */
export function toDetails(error: z.core.$ZodError): ErrorDetail[] {
  return error.issues.slice(0, DETAILS_MAX).flatMap(detailsOf);
}

function detailsOf(issue: z.core.$ZodIssue): ErrorDetail[] {
  if (issue.code === "unrecognized_keys") return [];
  const path = pointerOf(issue.path);
  if (isMissing(issue)) return [{ path, code: "required", message: missing(issue.path) }];
  return [{ path, code: codeOf(issue), message: issue.message }];
}

function missing(path: readonly PropertyKey[]): string {
  return path.length === 0 ? "The item is required." : `\`${path.map(String).join(".")}\` is required.`;
}

function isMissing(issue: z.core.$ZodIssue): boolean {
  return issue.code === "invalid_type" && issue.message.endsWith("received undefined");
}

function codeOf(issue: z.core.$ZodIssue): string {
  if (issue.code === "too_big" && issue.origin === "string") return "too_long";
  if (issue.code === "too_big" && issue.origin === "array") return "too_many";
  if (issue.code === "too_small" && Number(issue.minimum) === 1) return "required";
  return issueCodes[issue.code] ?? "bad_value";
}
