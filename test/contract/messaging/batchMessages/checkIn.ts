import { expect } from "vitest";
import type { SendWorld } from "./sendWorld.ts";

/** Sum of all that a message says of its audience. */
const sumOf = ({ sent, failed, unknown, deferred, pending, skipped }: Record<string, number> & { skipped: object }) =>
  [sent, failed, unknown, deferred, pending, ...Object.values(skipped)].reduce((sum = 0, one) => sum + Number(one), 0);

/** Checks a message, whose outcomes add up at any time. */
export async function checkIn(world: SendWorld, id: string) {
  const { status, delivery, audienceTotal, reason } = await world.see(id);
  if (delivery !== undefined) expect(sumOf(delivery)).toBe(audienceTotal);
  return { status, delivery, audienceTotal, reason };
}
