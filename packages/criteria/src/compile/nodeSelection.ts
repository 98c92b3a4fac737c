import { type CriteriaNode, isLogic, type Leaf, type LogicNode } from "../criteria.ts";
import { eligibleSet } from "../leaves/field/valueSets.ts";
import { definitionOf, isReference, type LeafTable } from "../leaves/leaf.ts";
import type { Scope } from "./scope.ts";
import { allBut, combined, everybody, intersect, nobody, type Selection, unite } from "./selection.ts";

export interface ExplainedNode {
  readonly path: string;
  readonly selection: Selection;
  /** Absent for `and`, `or` and `not`. */
  readonly leaf?: Leaf;
}

/** Parts that a node is compiled with. */
export interface Selecting {
  readonly scope: Scope;
  readonly table: LeafTable;
  /** Collects the node and those below it, itself first; a saved audience is one line. */
  readonly explained: ExplainedNode[];
}

export function nodeSelection(node: CriteriaNode, selecting: Selecting): Selection {
  const { scope, explained } = selecting;
  const position = explained.push({ path: node.path, selection: nobody(scope.sets) }) - 1;
  const selection = isLogic(node) ? logicSelection(node, selecting) : leafSelection(node, selecting);
  explained[position] = { path: node.path, selection, ...(!isLogic(node) && { leaf: node }) };
  return selection;
}

function logicSelection(node: LogicNode, selecting: Selecting): Selection {
  const { sets } = selecting.scope;
  const selections = node.nodes.map((child) => nodeSelection(child, selecting));
  if (node.kind === "not") return allBut(selections[0] ?? nobody(sets));
  const [combine, none] = node.kind === "and" ? [intersect, everybody(sets)] : [unite, nobody(sets)];
  const together = combined(selections, (left, right) => combine(sets, left, right)) ?? none;
  if (node.exclude === undefined) return together;
  return intersect(sets, together, allBut(nodeSelection(node.exclude, selecting)));
}

function leafSelection(leaf: Leaf, selecting: Selecting): Selection {
  const { scope, table } = selecting;
  const { points, historyAt } = scope;
  const definition = definitionOf(leaf, table);
  if (isReference(definition)) return referenceSelection(definition.nodeOf(leaf), leaf, selecting);
  const set = points === undefined ? definition.select(leaf, scope) : definition.trend(leaf, scope, points);
  return { ...set, known: definition.isAfterContact === true && historyAt === undefined };
}

/** Selects the contacts of other criteria; notes of their rules are reported at the reference. */
function referenceSelection(node: CriteriaNode, { path }: Leaf, { scope, table }: Selecting): Selection {
  const noted: Scope = { ...scope, addNote: (_, code, sql) => scope.addNote(path, code, sql) };
  return nodeSelection(node, { scope: noted, table, explained: [] });
}

export function eligibleSelection(wanted: Parameters<typeof eligibleSet>[0], scope: Scope): Selection {
  return { set: eligibleSet(wanted, scope), complement: false, known: scope.historyAt === undefined };
}
