import { type CriteriaContext, type CriteriaNode, parseCriteria } from "@headwater/audience";
import type { Account } from "@headwater/contracts";
import { refusal } from "@headwater/http";
import type { ErrorDetail } from "@headwater/kernel";
import type { ServicePorts } from "../ports.ts";
import { readContext, readSeenFields } from "./knownNames.ts";

export interface Checking {
  readonly account: Account;
  /** Milliseconds since 1970, for a past moment. */
  readonly asOf?: number | undefined;
  /** What the account knows, where it was read already. */
  readonly context?: CriteriaContext;
}

/**
 * Criteria as they were sent, checked against what the account knows.
 * @throws HeadwaterError 422 `INVALID_AUDIENCE_RULES` with all errors of the criteria.
 */
export async function checkCriteria(
  input: unknown,
  { account, asOf, context }: Checking,
  ports: Pick<ServicePorts, "postgres" | "clickHouse">,
): Promise<CriteriaNode> {
  const at = asOf === undefined ? {} : { asOf };
  const first = parseCriteria(input, context ?? (await readContext(account, ports, at)));
  if (first.kind === "ok") return first.criteria;
  if (!first.errors.some(({ code }) => code === "unknown_field")) throw invalidRules(first.errors);
  const seen = await readSeenFields(account, ports);
  const again = parseCriteria(input, await readContext(account, ports, { ...at, seen }));
  if (again.kind === "invalid") throw invalidRules(again.errors);
  return again.criteria;
}

function invalidRules(details: readonly ErrorDetail[]) {
  const rules = details.length === 1 ? "1 rule is" : `${details.length} rules are`;
  return refusal("INVALID_AUDIENCE_RULES", `${rules} not valid`, { details });
}
