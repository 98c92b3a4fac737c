import { timeOfVersion } from "@headwater/contracts";
import type { Scope } from "./scope.ts";

/** The last clear that counts: at a past moment a later one has not happened yet. */
export function lastClear(clears: readonly string[] = [], { historyAt, clock }: Scope): string | undefined {
  const seen = historyAt === undefined ? clears : clears.filter((clear) => timeOfVersion(clear) <= clock.reference);
  return seen.toSorted().at(-1);
}
