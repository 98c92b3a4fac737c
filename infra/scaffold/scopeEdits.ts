import type { Edit, Tree } from "./edits.ts";
import { places } from "./places.ts";

/** Adds a resource to those that scopes name, in their alphabetical order, where it is new. */
export function scopeEdits(resource: string, tree: Tree): Edit[] {
  const [, listed = ""] = /scopeResources = \[([^\]]*)\]/.exec(tree.read(places.scopes)) ?? [];
  const resources = [...listed.matchAll(/"(\w+)"/g)].map(([, known = ""]) => known);
  if (resources.includes(resource)) return [];
  const next = resources.find((known) => known > resource);
  const end = "] as const;\n\n/** `read` and `write` hold";
  return [{ path: places.scopes, insert: `  "${resource}",\n`, before: next === undefined ? end : `  "${next}",\n` }];
}
