import type { ChannelState } from "./model.ts";

/** Soft bounces on so many days make an address that bounced for good. */
export const softBounceRule = { count: 5, days: 30 } as const;

/** Sets the days of soft bounces: each once, in order, those that may still count. */
export function setSoftBounces(state: ChannelState, days: readonly number[]): void {
  const sorted = [...new Set(days)].sort((left, right) => left - right);
  const newest = sorted.at(-1) ?? 0;
  const kept = sorted.filter((day) => day > newest - softBounceRule.days).slice(-softBounceRule.count);
  if (kept.length > 0) state.softBounces = kept;
  else delete state.softBounces;
}
