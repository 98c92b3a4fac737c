import { type CriteriaNode, isLogic } from "../criteria.ts";
import { definitionOf, isReference, type LeafTable } from "../leaves/leaf.ts";
import { leaves } from "../leaves/leaves.ts";
import type { NameInCriteria } from "./names.ts";
import { type CompileOptions, createQuery } from "./query.ts";
import type { Scope } from "./scope.ts";

export interface NamesInCriteria {
  readonly names: readonly NameInCriteria[];
  readonly params: Readonly<Record<string, unknown>>;
}

/** Names of one criteria that are checked: the first ones. */
const NAMES_MAX = 20;

/** Collects the event names, properties and texts of values that checked criteria search for, each with the query that finds one. */
export function namesInCriteria(
  criteria: CriteriaNode,
  options: Pick<CompileOptions, "account" | "now" | "timezone" | "currency">,
  table: LeafTable = leaves,
): NamesInCriteria {
  const { scope } = createQuery({ ...options, basis: "event", hasMerges: false });
  const names = Iterator.from(namesOf(criteria, scope, table))
    .take(NAMES_MAX)
    .toArray();
  return { names, params: scope.bind.params };
}

function* namesOf(node: CriteriaNode, scope: Scope, table: LeafTable): Generator<NameInCriteria> {
  if (isLogic(node)) {
    for (const child of node.nodes) yield* namesOf(child, scope, table);
    if (node.exclude !== undefined) yield* namesOf(node.exclude, scope, table);
    return;
  }
  const definition = definitionOf(node, table);
  if (!isReference(definition)) {
    yield* definition.names?.(node, scope) ?? [];
    return;
  }
  // The names of a saved audience are reported where it is referred to.
  for (const name of namesOf(definition.nodeOf(node), scope, table)) yield { ...name, path: node.path };
}
