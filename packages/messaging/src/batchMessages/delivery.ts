import type { SendCount } from "../sends/sendReads.ts";
import type { StoredBatchMessage } from "./batchMessages.ts";
import { isFinalMessage } from "./transitions.ts";

/** Outcomes of a message's audience. */
export interface Delivery {
  readonly sent: number;
  readonly failed: number;
  readonly unknown: number;
  readonly deferred: number;
  readonly pending: number;
  readonly skipped: Readonly<Record<string, number>>;
}

/**
 * Adds up a message's audience by outcome. Contacts without a row of their own are still to come, or were canceled with the message.
 * @returns undefined before the audience is known.
 */
export function deliveryOf(
  { status, audienceTotal }: Pick<StoredBatchMessage, "status" | "audienceTotal">,
  counts: readonly SendCount[],
): Delivery | undefined {
  if (audienceTotal === null) return undefined;
  const of = (state: SendCount["state"]) =>
    counts.filter((one) => one.state === state).reduce((sum, { count }) => sum + count, 0);
  const rows = counts.reduce((sum, { count }) => sum + count, 0);
  const rest = audienceTotal - rows;
  const skipped = new Map<string, number>();
  for (const { state, reason, count } of counts) {
    if (state === "skipped") skipped.set(reason ?? "", (skipped.get(reason ?? "") ?? 0) + count);
  }
  const isOver = isFinalMessage(status);
  if (isOver && rest > 0) skipped.set("canceled", (skipped.get("canceled") ?? 0) + rest);
  return {
    ...{ sent: of("sent"), failed: of("failed"), unknown: of("unknown"), deferred: of("deferred") },
    pending: of("pending") + of("sending") + (isOver ? 0 : rest),
    skipped: Object.fromEntries(skipped),
  };
}
