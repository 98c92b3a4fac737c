type Properties = { [name: string]: unknown };

/** A dotted key is nested: `{"a.b": 1}` reads as `{"a": {"b": 1}}`. What stands in the way of nesting stays as it came. */
export function nestDotted(properties: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  if (!Object.keys(properties).some((name) => name.includes("."))) return properties;
  const result: Properties = {};
  for (const [name, value] of Object.entries(properties)) if (!name.includes(".")) result[name] = value;
  for (const [name, value] of Object.entries(properties)) {
    if (name.includes(".") && !place(result, name.split("."), value)) result[name] = value;
  }
  return result;
}

function place(root: Properties, steps: readonly string[], value: unknown): boolean {
  let at = root;
  for (const step of steps.slice(0, -1)) {
    const inner = Object.hasOwn(at, step) ? at[step] : undefined;
    if (inner === undefined) {
      const made: Properties = {};
      at[step] = made;
      at = made;
    } else if (isObject(inner)) at = inner;
    else return false;
  }
  const last = steps[steps.length - 1];
  if (last === undefined || Object.hasOwn(at, last)) return false;
  at[last] = value;
  return true;
}

function isObject(value: unknown): value is Properties {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
