/** Whether a value nests deeper; the value itself is level 1. Walks layer by layer, so that depth cannot exhaust the stack. */
export function isDeeperThan(value: unknown, levels: number): boolean {
  let layer = [value].filter(isContainer);
  for (let level = 1; layer.length > 0; level++) {
    if (level > levels) return true;
    layer = layer.flatMap((container) => Object.values(container).filter(isContainer));
  }
  return false;
}

function isContainer(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
