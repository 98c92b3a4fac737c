import { editDistance } from "@headwater/kernel";
import { SUGGESTION_LIMITS } from "../limits.ts";

const { namesMax, candidatesMax, lookedAtMax, charactersMax } = SUGGESTION_LIMITS;

/**
 * Returns up to three of `names` that are spelled most like `name`, best first; none that differ in more than half of their letters.
 * Letters are counted first, a cheap bound of how near a name may be: so of tens of thousands of names a few are compared,
 * and never more than 500.
 */
export function nearestNames(name: string, names: Iterable<string>): string[] {
  const wanted = name.toLowerCase();
  const best: Scored[] = [];
  let compared = 0;
  for (const candidates of byLeastDistance(wanted, names)) {
    for (const candidate of candidates) {
      const worst = best[namesMax - 1]?.distance ?? candidate.bound;
      if (candidate.least > worst || compared === candidatesMax) return best.map((entry) => entry.name);
      compared += 1;
      keepBest(best, wanted, { ...candidate, bound: Math.min(candidate.bound, worst) });
    }
  }
  return best.map((entry) => entry.name);
}

interface Scored {
  readonly name: string;
  readonly distance: number;
}

interface Candidate {
  readonly name: string;
  /** It differs in so many letters at least. */
  readonly least: number;
  /** It is no suggestion when it differs in more. */
  readonly bound: number;
}

function keepBest(best: Scored[], wanted: string, { name, bound }: Candidate): void {
  const distance = editDistance(compared(wanted), compared(name.toLowerCase()), bound);
  if (distance > bound) return;
  best.push({ name, distance });
  best.sort((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1));
  best.length = Math.min(best.length, namesMax);
}

/** Names are compared by their beginning. */
function compared(name: string): string {
  return name.slice(0, charactersMax);
}

/** Candidates by the least number of letters they differ in. */
function byLeastDistance(wanted: string, names: Iterable<string>): readonly (readonly Candidate[])[] {
  const buckets: Candidate[][] = Array.from({ length: charactersMax + 1 }, () => []);
  const letters = countLetters(compared(wanted));
  let looked = 0;
  for (const name of names) {
    looked += 1;
    if (looked > lookedAtMax) break;
    const bound = Math.max(1, Math.floor(Math.max(wanted.length, name.length) / 2));
    if (Math.abs(name.length - wanted.length) > bound) continue;
    const least = leastDistance(letters, compared(name.toLowerCase()));
    if (least <= bound) buckets[least]?.push({ name, least, bound });
  }
  return buckets;
}

const LETTERS = 128;

/** Letters that share a place make names look nearer, never farther. */
function countLetters(text: string): Int16Array {
  const counts = new Int16Array(LETTERS);
  for (let at = 0; at < text.length; at++) addTo(counts, text.charCodeAt(at), 1);
  return counts;
}

function addTo(counts: Int16Array, code: number, by: number): void {
  const place = code % LETTERS;
  counts[place] = (counts[place] ?? 0) + by;
}

/** The letters that one of the two has too many of, whichever has more. */
function leastDistance(wanted: Int16Array, name: string): number {
  const counts = Int16Array.from(wanted);
  for (let at = 0; at < name.length; at++) addTo(counts, name.charCodeAt(at), -1);
  let missing = 0;
  let extra = 0;
  for (const count of counts) {
    if (count > 0) missing += count;
    else extra -= count;
  }
  return Math.max(missing, extra);
}
