import { versionOf } from "@headwater/contracts";

/** A version has 44 bits for its time. */
const TIME_MS_MAX = 2 ** 44 - 1;

/** The lowest version of a later millisecond; an instant may be given that no write has. */
export function versionAfter(timeMs: number): string {
  return versionOf(Math.min(Math.max(0, timeMs + 1), TIME_MS_MAX), { lane: 0, partition: 0, offset: 0, place: 0 });
}
