import type { ErrorDetail } from "@headwater/kernel";
import { type Checking, examineCriteria } from "../audiences/checkCriteria.ts";
import type { ServicePorts } from "../ports.ts";
import type { MessageTest } from "./messageMembers.ts";

type Goal = NonNullable<MessageTest["goal"]>;

/** Returns criteria of the contacts that reached a goal. */
export function goalCriteria({ action, where = [] }: Goal) {
  return { event: action, where };
}

/** Lists all that is wrong with the goals of tests, each at its place. */
export async function mistakesOfGoals(
  tests: readonly MessageTest[],
  account: Checking["account"],
  ports: Pick<ServicePorts, "clickHouse" | "postgres">,
): Promise<ErrorDetail[]> {
  const mistakes: ErrorDetail[] = [];
  for (const [index, { goal }] of tests.entries()) {
    if (goal === undefined) continue;
    const examined = await examineCriteria(goalCriteria(goal), { account, at: `/tests/${index}/goal` }, ports);
    if (examined.kind === "invalid") mistakes.push(...examined.details.map(inGoal));
  }
  return mistakes;
}

/** A goal calls `action` what criteria call `event`. */
function inGoal(detail: ErrorDetail): ErrorDetail {
  return { ...detail, path: detail.path.replace(/\/goal\/event$/, "/goal/action") };
}
