import type { MessagingSettings } from "@headwater/contracts";

export type Caps = MessagingSettings["caps"];

const UNIT_MS = { minute: 60_000, hour: 3_600_000, day: 86_400_000, week: 604_800_000 } as const;

function lengthOf({ n, unit }: Caps[number]["per"]): number {
  return n * UNIT_MS[unit];
}

/** Returns how far back any cap reaches, in milliseconds; 0 without caps. */
export function longestCapMs(caps: Caps): number {
  return Math.max(0, ...caps.map(({ per }) => lengthOf(per)));
}

/** Returns whether a contact has had as many promotional sends as a cap of the channel allows in its rolling window. */
export function isCapped(
  caps: Caps,
  counted: readonly { readonly channel: string; readonly intendedAt: number }[],
  { channel, nowMs }: { readonly channel: string; readonly nowMs: number },
): boolean {
  return caps.some((cap) => {
    if (cap.channel !== channel) return false;
    const since = nowMs - lengthOf(cap.per);
    return counted.filter((send) => send.channel === channel && send.intendedAt > since).length >= cap.count;
  });
}
