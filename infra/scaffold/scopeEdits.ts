import type { Edit, Tree } from "./edits.ts";
import { places } from "./places.ts";

/** Adds a resource to the classes of segments as an ordinary one, in their alphabetical order, where it is new. */
export function scopeEdits(resource: string, tree: Tree): Edit[] {
  const [, listed = ""] = /segmentClasses = \{([^}]*)\}/.exec(tree.read(places.scopes)) ?? [];
  const resources = [...listed.matchAll(/^ {2}(\w+):/gm)].map(([, known = ""]) => known);
  if (resources.includes(resource)) return [];
  const next = resources.find((known) => known > resource);
  const end = "} as const;\n\nconst classes";
  return [
    { path: places.scopes, insert: `  ${resource}: "ordinary",\n`, before: next === undefined ? end : `  ${next}: "` },
  ];
}
