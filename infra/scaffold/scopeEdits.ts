import type { Edit, Tree } from "./edits.ts";
import { places } from "./places.ts";

/** Lets those who read, or those who write, call new operations: whoever adds them may decide otherwise. */
export function roleEdits(reads: readonly string[], writes: readonly string[]): Edit[] {
  const lines = (names: readonly string[]) => names.map((name) => `      "${name}",\n`).join("");
  const path = places.roleDecisions;
  return [
    { path, insert: lines(reads), before: '      "countAccountlist",\n' },
    { path, insert: lines(writes), before: '      "addCartitem",\n' },
  ];
}

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
