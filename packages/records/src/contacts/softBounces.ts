import type { MessagingSettings } from "@headwater/contracts";
import type { ChannelState } from "./model.ts";

/** The greatest rule that an account may have: days that no rule counts are dropped. */
const STORED = { count: 100, days: 365 } as const;

/** Sets the days of soft bounces: each once, in order, those that may still count. */
export function setSoftBounces(state: ChannelState, days: readonly number[]): void {
  const sorted = [...new Set(days)].sort((left, right) => left - right);
  const newest = sorted.at(-1) ?? 0;
  const stored = sorted.filter((day) => day > newest - STORED.days).slice(-STORED.count);
  if (stored.length > 0) state.softBounces = stored;
  else delete state.softBounces;
}

/** Returns whether soft bounces on so many days, counted back from the newest, make an address that bounced for good. */
export function isBouncedSoftly(
  { softBounces = [] }: ChannelState,
  { count, days }: MessagingSettings["softBounces"],
): boolean {
  const newest = softBounces.at(-1) ?? 0;
  return softBounces.filter((day) => day > newest - days).length >= count;
}
