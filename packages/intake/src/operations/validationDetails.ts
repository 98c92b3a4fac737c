import type { ErrorDetail } from "@headwater/contracts";
import { firstMistakes, toDetail } from "@headwater/kernel";
import type { z } from "zod";

/**
 * Turns zod's findings in an item into details of the answer; unknown members are no error, and what is empty is missing.
 * A union's mistake is named where the union stands: senders know the member, not our branches.
 */
export function toItemDetails({ issues }: z.core.$ZodError): ErrorDetail[] {
  return firstMistakes(issues)
    .filter(({ code }) => code !== "unrecognized_keys")
    .map((issue) => (isEmpty(issue) ? { ...toDetail(issue), code: "required" } : toDetail(issue)));
}

/** Kinds of values without a length: 0 is there, and out of range. */
const quantities: ReadonlySet<string> = new Set(["number", "int", "bigint"]);

function isEmpty(issue: z.core.$ZodIssue): boolean {
  return issue.code === "too_small" && !quantities.has(issue.origin) && Number(issue.minimum) === 1;
}
