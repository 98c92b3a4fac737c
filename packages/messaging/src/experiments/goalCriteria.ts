import { toTimestamp } from "@headwater/contracts";

/** Action that contacts reach, with conditions on its properties. */
export interface ExperimentGoal {
  readonly action: string;
  readonly where?: readonly object[] | undefined;
}

/** Returns criteria of the contacts that reached a goal. @param since milliseconds since 1970. */
export function goalCriteria({ action, where = [] }: ExperimentGoal, since?: number) {
  return { event: action, where, ...(since !== undefined && { within: { from: toTimestamp(since) } }) };
}
