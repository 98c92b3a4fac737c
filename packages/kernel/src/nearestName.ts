import { distance as editDistance } from "fastest-levenshtein";

const DISTANCE_MAX = 3;
/** Longer names are near none. */
export const SUGGESTED_CHARACTERS_MAX = 64;

/** The known name that is fewest edits away, three at most. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  if (name.length > SUGGESTED_CHARACTERS_MAX) return undefined;
  const wanted = name.toLowerCase();
  let best: string | undefined;
  let bestDistance = Math.min(DISTANCE_MAX, Math.floor(name.length / 2)) + 1;
  for (const candidate of known) {
    if (bestDistance === 0) break;
    if (Math.abs(candidate.length - name.length) >= bestDistance) continue;
    const distance = editDistance(wanted, candidate.toLowerCase());
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance];
  }
  return best;
}
