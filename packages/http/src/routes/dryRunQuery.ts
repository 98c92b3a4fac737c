/** Values of a boolean parameter that mean true: `?dryRun` alone is one. */
const ON: ReadonlySet<unknown> = new Set(["true", "1", ""]);

/** Returns whether a query asks for a dry run. A value that is no boolean does not: the route refuses it. */
export function isDryRun(query: unknown): boolean {
  return ON.has(Reflect.get(Object(query), "dryRun"));
}
