import type { Sliced } from "./slices.ts";

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

interface OpenContainer {
  readonly values: readonly unknown[];
  next: number;
}

/** Values that are checked between two stops. */
const VALUES_PER_STEP = 4_096;

/** Answers as `isDeeperThan` does, and stops every few thousand values, for a value of any size. */
export function* isDeeperInSlices(value: unknown, levels: number): Sliced<boolean> {
  const open: OpenContainer[] = [];
  enter(open, value);
  for (let seen = 1; open.length > 0; seen++) {
    if (open.length > levels) return true;
    checkOn(open);
    if (seen % VALUES_PER_STEP === 0) yield;
  }
  return false;
}

function checkOn(open: OpenContainer[]): void {
  const container = open.at(-1);
  if (container === undefined) return;
  if (container.next === container.values.length) open.pop();
  else enter(open, container.values[container.next++]);
}

function enter(open: OpenContainer[], value: unknown): void {
  if (typeof value !== "object" || value === null) return;
  open.push({ values: Array.isArray(value) ? value : Object.values(value), next: 0 });
}
