const SUGGESTIONS_MAX = 3;
const CANDIDATES_MAX = 20_000;

/** Up to three of `names` that are spelled most like `name`, best first; none that differ in more than half of their letters. */
export function nearestNames(name: string, names: Iterable<string>): string[] {
  const wanted = name.toLowerCase();
  const scored: { name: string; distance: number }[] = [];
  let looked = 0;
  for (const candidate of names) {
    looked += 1;
    if (looked > CANDIDATES_MAX) break;
    const bound = Math.max(1, Math.floor(Math.max(wanted.length, candidate.length) / 2));
    if (Math.abs(candidate.length - wanted.length) > bound) continue;
    const distance = editDistance(wanted, candidate.toLowerCase());
    if (distance <= bound) scored.push({ name: candidate, distance });
  }
  scored.sort((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1));
  return scored.slice(0, SUGGESTIONS_MAX).map((entry) => entry.name);
}

/** Levenshtein distance; names are compared up to 128 characters. */
function editDistance(left: string, right: string): number {
  const a = left.slice(0, 128);
  const b = right.slice(0, 128);
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const change = (previous[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1);
      current.push(Math.min(change, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[b.length] ?? 0;
}
