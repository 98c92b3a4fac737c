import type { Account } from "@headwater/contracts";
import { type CheckedAudience, checkAudience } from "../batchMessages/checkAudience.ts";
import { invalidContent } from "../messages/prepareParts.ts";
import { problemOfSchedule } from "../schedule/cron.ts";
import { scheduleOf } from "./recurringSchedule.ts";
import type { TemplatePorts } from "./templatePorts.ts";
import type { Triggers, TriggersInput } from "./triggers.ts";

export const RECURRING = "/triggers/recurring";

/**
 * Checks the recurring trigger that a body gives. Its zone is written out, so that it stays when the account's changes.
 * @returns undefined where the body gives none. @throws HeadwaterError 422 `VALIDATION_ERROR`, `INVALID_AUDIENCE_RULES`.
 */
export async function checkRecurring(
  triggers: TriggersInput | undefined,
  account: Account,
  ports: Pick<TemplatePorts, "clickHouse" | "clock" | "postgres">,
): Promise<CheckedRecurring | undefined> {
  const input = triggers?.recurring;
  if (input === undefined) return undefined;
  const schedule = scheduleOf(input, account);
  const problem = schedule && problemOfSchedule(schedule, ports.clock.nowMs());
  if (problem !== undefined) {
    const { member, message } = problem;
    throw invalidContent([
      { path: `${RECURRING}/schedule/${member}`, code: "bad_value", message: `\`${member}\` ${message}.` },
    ]);
  }
  const { audience: criteria = null, "audience-key": key = null } = input;
  const audience = await checkAudience({ audience: criteria, "audience-key": key }, { account, at: RECURRING }, ports);
  return { recurring: { ...input, ...(schedule && { schedule }) }, audience };
}

/** A recurring trigger that was checked, before the transaction that stores it. */
export interface CheckedRecurring {
  readonly recurring: Triggers["recurring"];
  readonly audience: CheckedAudience | undefined;
}

/** Returns the member of the triggers that was checked, if there is one. */
export function recurringIn(checked: CheckedRecurring | undefined): Partial<Triggers> {
  return checked === undefined ? {} : { recurring: checked.recurring };
}
