import { type CriteriaNode, type InvalidCriteria, listReferences, parseCriteria } from "@headwater/audience";
import type { Account } from "@headwater/contracts";
import { refusal } from "@headwater/http";
import type { ErrorDetail } from "@headwater/kernel";
import type { ServicePorts } from "../ports.ts";
import { readContext, readSeenFields } from "./knownNames.ts";

export interface Checking {
  readonly account: Account;
  /** Milliseconds since 1970, for a past moment. */
  readonly asOf?: number | undefined;
}

type Ports = Pick<ServicePorts, "postgres" | "clickHouse">;

/**
 * Criteria as they were sent, checked against what the account knows.
 * @throws HeadwaterError 422 `INVALID_AUDIENCE_RULES` with all errors of the criteria.
 */
export async function checkCriteria(input: unknown, checking: Checking, ports: Ports): Promise<CriteriaNode> {
  const { account, asOf } = checking;
  const lists = listReferences(input);
  const parsed = parseCriteria(input, await readContext(account, ports, { asOf, lists }));
  if (parsed.kind === "ok") return parsed.criteria;
  const seen = await seenBy(parsed, account, ports);
  const wider = await readContext(account, ports, { asOf, lists, seen });
  if (!parsed.unknownFields.some((name) => wider.fields.has(name))) throw await refused(parsed, checking, seen, ports);
  const again = parseCriteria(input, wider);
  if (again.kind === "invalid") throw await refused(again, checking, seen, ports);
  return again.criteria;
}

function seenBy({ unknownFields }: InvalidCriteria, account: Account, ports: Ports): Promise<string[]> | string[] {
  return unknownFields.length === 0 ? [] : readSeenFields(account, unknownFields, ports);
}

/** Names that a misspelled one may have meant are read only now. */
async function refused(parsed: InvalidCriteria, { account, asOf }: Checking, seen: readonly string[], ports: Ports) {
  if (parsed.unknownFields.length + parsed.unknownLists.length === 0) return invalidRules(parsed.errors);
  return invalidRules(parsed.errorsIn(await readContext(account, ports, { asOf, lists: "all", seen })));
}

function invalidRules(details: readonly ErrorDetail[]) {
  const rules = details.length === 1 ? "1 rule is" : `${details.length} rules are`;
  return refusal("INVALID_AUDIENCE_RULES", `${rules} not valid`, { details });
}
