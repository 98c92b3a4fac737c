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
  const parsed = parseCriteria(input, context ?? (await readContext(account, ports, at)));
  if (parsed.kind === "ok") return parsed.criteria;
  const { unknownFields } = parsed;
  if (unknownFields.length === 0) throw invalidRules(parsed.errors);
  const wider = await readContext(account, ports, { ...at, seen: await readSeenFields(account, unknownFields, ports) });
  if (!unknownFields.some((name) => wider.fields.has(name))) throw invalidRules(parsed.errorsIn(wider));
  const again = parseCriteria(input, wider);
  if (again.kind === "invalid") throw invalidRules(again.errors);
  return again.criteria;
}

function invalidRules(details: readonly ErrorDetail[]) {
  const rules = details.length === 1 ? "1 rule is" : `${details.length} rules are`;
  return refusal("INVALID_AUDIENCE_RULES", `${rules} not valid`, { details });
}
