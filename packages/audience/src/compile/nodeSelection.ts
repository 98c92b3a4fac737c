import type { AudienceLeaf, CriteriaLeaf, CriteriaNode, LogicNode } from "../nodes.ts";
import { leafTrend } from "../trend/leafTrend.ts";
import { cartLeaf } from "./cartLeaf.ts";
import { eligibleSet } from "./channelSets.ts";
import { eventLeaf } from "./eventLeaf.ts";
import { fieldLeaf } from "./fieldLeaf.ts";
import type { LeafSet } from "./leafSet.ts";
import { listLeaf } from "./listLeaf.ts";
import { orderLeaf } from "./orderLeaf.ts";
import { sampleLeaf } from "./sampleLeaf.ts";
import type { Scope } from "./scope.ts";
import { allBut, combined, everybody, intersect, nobody, type Selection, unite } from "./selection.ts";
import { supplementLeaf } from "./supplementLeaf.ts";

export interface ExplainedNode {
  readonly path: string;
  readonly selection: Selection;
  /** Absent for `and`, `or` and `not`. */
  readonly leaf?: CriteriaLeaf;
}

/** Adds the node and those below it to `explained`, itself first; a saved audience is one line. */
export function nodeSelection(node: CriteriaNode, scope: Scope, explained: ExplainedNode[]): Selection {
  const place = explained.push({ path: node.path, selection: nobody(scope.sets) }) - 1;
  const selection = isLogic(node) ? logicSelection(node, scope, explained) : leafSelection(node, scope);
  explained[place] = { path: node.path, selection, ...(!isLogic(node) && { leaf: node }) };
  return selection;
}

function isLogic(node: CriteriaNode): node is LogicNode {
  return node.kind === "and" || node.kind === "or" || node.kind === "not";
}

function logicSelection(node: LogicNode, scope: Scope, explained: ExplainedNode[]): Selection {
  const selections = node.nodes.map((child) => nodeSelection(child, scope, explained));
  if (node.kind === "not") return allBut(selections[0] ?? nobody(scope.sets));
  const { sets } = scope;
  const [combine, none] = node.kind === "and" ? [intersect, everybody(sets)] : [unite, nobody(sets)];
  const together = combined(selections, (left, right) => combine(sets, left, right)) ?? none;
  if (node.exclude === undefined) return together;
  return intersect(sets, together, allBut(nodeSelection(node.exclude, scope, explained)));
}

/** A contact's row is written before its fields. Events, orders and lists come by other ways and may be there first. */
function leafSelection(leaf: CriteriaLeaf, scope: Scope): Selection {
  if (leaf.kind === "audience") return audienceSelection(leaf, scope);
  return { ...leafSet(leaf, scope), known: leaf.kind === "field" && scope.historyAt === undefined };
}

/** Selects the contacts of a saved audience; notes of its rules are reported at the reference. */
function audienceSelection({ node, path }: AudienceLeaf, scope: Scope): Selection {
  return nodeSelection(node, { ...scope, addNote: (_, code, sql) => scope.addNote(path, code, sql) }, []);
}

function leafSet(leaf: Exclude<CriteriaLeaf, AudienceLeaf>, scope: Scope): LeafSet {
  if (scope.points !== undefined) return leafTrend(leaf, scope, scope.points);
  switch (leaf.kind) {
    case "field":
      return fieldLeaf(leaf, scope);
    case "list":
      return listLeaf(leaf, scope);
    case "event":
      return eventLeaf(leaf, scope);
    case "order":
      return orderLeaf(leaf, scope);
    case "cart":
      return cartLeaf(leaf, scope);
    case "supplement":
      return supplementLeaf(leaf, scope);
    case "sample":
      return sampleLeaf(leaf, scope);
  }
}

export function eligibleSelection(wanted: Parameters<typeof eligibleSet>[0], scope: Scope): Selection {
  return { set: eligibleSet(wanted, scope), complement: false, known: scope.historyAt === undefined };
}
