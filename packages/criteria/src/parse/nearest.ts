import { distance as editDistance } from "fastest-levenshtein";
import { SUGGESTION_LIMITS } from "../limits.ts";

const { namesMax, candidatesMax, pairsMax, lookedAtMax: checkedMax, charactersMax } = SUGGESTION_LIMITS;

/** Returns up to three names that are spelled most like the one given, best first. */
export type FindNearest = (name: string) => string[];

/**
 * Returns up to three of `names` that are spelled most like `name`, best first; none that differ in more than half of their letters.
 * Letters are counted first, a cheap bound of how near a name may be: so of tens of thousands of names a few are compared,
 * and never more than 500.
 */
export function nearestNames(name: string, names: Iterable<string>): string[] {
  return indexNames(names)(name);
}

/** Counts the letters of names once for all that are searched for among them. */
export function indexNames(names: Iterable<string>): FindNearest {
  const indexed = [...Iterator.from(names).take(checkedMax)].map((name) => ({ name, text: compared(name) }));
  const counts = new Uint8Array(indexed.length * LETTERS);
  for (const [at, { text }] of indexed.entries()) addLetters(counts, at * LETTERS, text);
  return (name) => nearestOf(name, { indexed, counts });
}

interface NameIndex {
  readonly indexed: readonly IndexedName[];
  /** The letters of each name, side by side. */
  readonly counts: Uint8Array;
}

interface IndexedName {
  readonly name: string;
  /** The part of the name that is compared. */
  readonly text: string;
}

function nearestOf(name: string, index: NameIndex): string[] {
  const wanted = compared(name);
  const best: Scored[] = [];
  let comparedCount = 0;
  let pairs = 0;
  for (const [least, paths] of byLeastDistance(name.length, wanted, index).entries()) {
    for (const path of paths) {
      const candidate = index.indexed[path];
      if (candidate === undefined) continue;
      const bound = boundOf(name.length, candidate.name.length);
      const worst = best[namesMax - 1]?.distance ?? bound;
      if (least > worst || comparedCount === candidatesMax || pairs > pairsMax) return best.map((entry) => entry.name);
      comparedCount += 1;
      pairs += wanted.length * candidate.text.length;
      keepBest(best, candidate, { wanted, bound: Math.min(bound, worst) });
    }
  }
  return best.map((entry) => entry.name);
}

/** A name is no suggestion when it differs in more letters. */
function boundOf(length: number, other: number): number {
  return Math.max(1, Math.floor(Math.max(length, other) / 2));
}

interface Scored {
  readonly name: string;
  readonly distance: number;
}

interface Sought {
  readonly wanted: string;
  readonly bound: number;
}

function keepBest(best: Scored[], { name, text }: IndexedName, { wanted, bound }: Sought): void {
  const distance = editDistance(wanted, text);
  if (distance > bound) return;
  best.push({ name, distance });
  best.sort((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1));
  best.length = Math.min(best.length, namesMax);
}

/** Names are compared by their beginning, without their case. */
function compared(name: string): string {
  return name.slice(0, charactersMax).toLowerCase().slice(0, charactersMax);
}

/** Indexes of candidates by the least number of letters they differ in. */
function byLeastDistance(length: number, wanted: string, { indexed, counts }: NameIndex): readonly number[][] {
  const buckets: number[][] = Array.from({ length: charactersMax + 1 }, () => []);
  const letters = new Uint8Array(LETTERS);
  addLetters(letters, 0, wanted);
  for (let position = 0; position < indexed.length; position++) {
    const own = indexed[position]?.name.length ?? 0;
    const bound = boundOf(length, own);
    if (Math.abs(own - length) > bound) continue;
    const least = leastDistance(letters, counts, position * LETTERS);
    if (least <= bound) buckets[least]?.push(position);
  }
  return buckets;
}

/** Counters of letters: 26 of letters, 10 of digits, the rest of all else. */
const LETTERS = 48;

/** Counts the letters of a text of at most 255 characters. Letters at the same index make names look nearer, never farther. */
function addLetters(counts: Uint8Array, from: number, text: string): void {
  for (let at = 0; at < text.length; at++) {
    const place = from + pathOf(text.charCodeAt(at));
    counts[place] = (counts[place] ?? 0) + 1;
  }
}

function pathOf(code: number): number {
  if (code >= 97 && code <= 122) return code - 97;
  if (code >= 48 && code <= 57) return code - 22;
  return 36 + (code % (LETTERS - 36));
}

/** The letters that one of the two has too many of, whichever has more. */
function leastDistance(wanted: Uint8Array, counts: Uint8Array, from: number): number {
  let missing = 0;
  let extra = 0;
  for (let place = 0; place < LETTERS; place++) {
    const difference = (wanted[place] ?? 0) - (counts[from + place] ?? 0);
    if (difference > 0) missing += difference;
    else extra -= difference;
  }
  return Math.max(missing, extra);
}
