/** More groups than this cost more as statements of their own than one join over all of them. */
const GROUPS_MAX = 32;

/**
 * Keys that share all but their last column, for `… = ANY ($n)`: the index is read once in its order, a third of the cost of a join
 * with `unnest` that descends it for every key. Groups are in order of their key. @returns undefined when there are too many.
 */
export function keyGroups<Key>(keys: readonly Key[], compare: (a: Key, b: Key) => number): Key[][] | undefined {
  const sorted = [...keys].sort(compare);
  const groups: Key[][] = [];
  let current: Key[] = [];
  for (const key of sorted) {
    const first = current[0];
    if (first === undefined || compare(first, key) !== 0) {
      if (groups.length === GROUPS_MAX) return undefined;
      current = [];
      groups.push(current);
    }
    current.push(key);
  }
  return groups;
}

export function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
