import type { CriteriaNode } from "@headwater/criteria";
import { refusal } from "@headwater/http";
import type { ErrorDetail } from "@headwater/kernel";
import type { CriteriaPorts } from "../criteria/criteriaPorts.ts";
import { type Checking, examineCriteria } from "../criteria/examineCriteria.ts";

/**
 * Checks criteria as they were sent against what the account knows.
 * @throws HeadwaterError 422 `INVALID_AUDIENCE_RULES` with all errors of the criteria.
 */
export async function checkCriteria(input: unknown, checking: Checking, ports: CriteriaPorts): Promise<CriteriaNode> {
  const examined = await examineCriteria(input, checking, ports);
  if (examined.kind === "ok") return examined.criteria;
  throw invalidRules(examined.details);
}

export function invalidRules(details: readonly ErrorDetail[]) {
  const rules = details.length === 1 ? "1 rule is" : `${details.length} rules are`;
  return refusal("INVALID_AUDIENCE_RULES", `${rules} not valid`, { details });
}

/** Errors that depend on what there was at a moment. */
const OF_A_INSTANT: ReadonlySet<string> = new Set(["unknown_field", "unknown_reference"]);

/** @returns the errors that hold at every instant: what criteria name may have been there at one that could not be read. */
export function timelessRules(details: readonly ErrorDetail[]): readonly ErrorDetail[] {
  return details.filter(({ code }) => !OF_A_INSTANT.has(code));
}
