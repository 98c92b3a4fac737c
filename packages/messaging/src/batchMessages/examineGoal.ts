import { type Checking, type Examined, examineCriteria } from "@headwater/audiences/criteria/examineCriteria";
import type { ErrorDetail } from "@headwater/kernel";
import { goalCriteria } from "../experiments/goalCriteria.ts";
import type { RoutePorts } from "../ports.ts";
import type { MessageTest } from "./messageMembers.ts";

type Goal = NonNullable<MessageTest["goal"]>;

interface CheckingGoal extends Pick<Checking, "account"> {
  /** JSON pointer of the goal. */
  readonly at: string;
  /** Milliseconds since 1970: what was reached before does not count. */
  readonly since?: number;
}

/** Checks a goal; mistakes are each at their place. */
export async function examineGoal(
  goal: Goal,
  { account, at, since }: CheckingGoal,
  ports: Pick<RoutePorts, "clickHouse" | "postgres">,
): Promise<Examined> {
  const examined = await examineCriteria(goalCriteria(goal, since), { account, at }, ports);
  return examined.kind === "ok" ? examined : { kind: "invalid", details: examined.details.map(inGoal) };
}

/** Lists all that is wrong with the goals of tests, each at its place. */
export async function mistakesOfGoals(
  tests: readonly MessageTest[],
  account: Checking["account"],
  ports: Pick<RoutePorts, "clickHouse" | "postgres">,
): Promise<ErrorDetail[]> {
  const mistakes: ErrorDetail[] = [];
  for (const [index, { goal }] of tests.entries()) {
    if (goal === undefined) continue;
    const examined = await examineGoal(goal, { account, at: `/tests/${index}/goal` }, ports);
    if (examined.kind === "invalid") mistakes.push(...examined.details);
  }
  return mistakes;
}

/** A goal calls `action` what criteria call `event`. */
function inGoal(detail: ErrorDetail): ErrorDetail {
  return { ...detail, path: detail.path.replace(/\/goal\/event$/, "/goal/action") };
}
