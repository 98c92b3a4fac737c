/** RFC 7396: members given replace those that are there, null removes, objects go into one another. */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const base = isObject(target) ? target : {};
  const stored = Object.entries(base).filter(([name]) => patch[name] !== null);
  const input = Object.entries(patch)
    .filter(([, value]) => value !== null)
    .map(([name, value]): [string, unknown] => [name, mergePatch(base[name], value)]);
  return Object.fromEntries([...stored, ...input]);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
