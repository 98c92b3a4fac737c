/**
 * True when a value nests deeper than `levels`; the value itself is level 1. Visits each value once, and descends no further than
 * `levels`, so that depth cannot exhaust the stack.
 */
export function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (levels === 0) return true;
  const inner: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
  for (const one of inner) {
    if (typeof one === "object" && one !== null && isDeeperThan(one, levels - 1)) return true;
  }
  return false;
}
