import type { z } from "zod";
import type { NameInCriteria } from "../compile/names.ts";
import type { Scope } from "../compile/scope.ts";
import type { LeafSet } from "../compile/selection.ts";
import type { CriteriaNode, Leaf } from "../criteria.ts";
import type { Parse } from "../parse/parserRun.ts";
import type { JsonObject } from "../parse/problems.ts";
import type { Points } from "../trend/points.ts";

/** Grammar of a leaf, as it is parsed and as it is published. */
interface Grammar<L extends Leaf> {
  /** The member that makes a rule one of this leaf; its parsed form has the same `kind`. */
  readonly kind: L["kind"];
  /** The members of a rule, an entry for each of its forms. */
  readonly forms: readonly Readonly<Record<string, z.ZodType>>[];
  /** Rules that show what the leaf can say. */
  readonly examples: readonly [object, ...object[]];
  /** Returns the parsed rule; undefined for an invalid one, whose errors it adds to `parse.problems`. */
  parse(input: JsonObject, path: string, parse: Parse): L | undefined;
}

/**
 * Definition of a leaf of the criteria language: one kind of rule about contacts, from its grammar to its SQL. The methods take what
 * `parse` of the same definition returned; so one table holds the definitions of all leaves.
 */
export interface LeafDefinition<L extends Leaf = Leaf> extends Grammar<L> {
  /** Compiles the contacts that pass, for a count. */
  select(leaf: L, scope: Scope): LeafSet;
  /** Compiles the points at which contacts pass, for a trend. */
  trend(leaf: L, scope: Scope, points: Points): LeafSet;
  /**
   * Compiles what the leaf reads of one contact, as a scalar query of JSON in a text that is empty where the contact has nothing of it.
   * @param contact the contact's number, bound.
   */
  saw?(leaf: L, scope: Scope, contact: string): string;
  /** Returns whether contacts that pass are members of a list, for a leaf about one: it has no `saw`. */
  isMember?(leaf: L): boolean;
  /** Returns the names and values that the account's data may never have had. */
  names?(leaf: L, scope: Scope): Iterable<NameInCriteria>;
  /** Set where a contact's own row is written before the rows that the leaf reads. Events, orders and lists may arrive first. */
  readonly isAfterContact?: true;
}

/** Definition of a leaf that stands for other criteria. */
export interface ReferenceDefinition<L extends Leaf = Leaf> extends Grammar<L> {
  /** Returns the criteria that the leaf stands for. */
  nodeOf(leaf: L): CriteriaNode;
}

/** The leaves of a criteria language. A context that has leaves of its own adds their definitions to `leaves`. */
export type LeafTable = readonly (LeafDefinition | ReferenceDefinition)[];

/** Returns the definition of a parsed leaf. */
export function definitionOf({ kind }: Leaf, table: LeafTable): LeafDefinition | ReferenceDefinition {
  const definition = table.find((one) => one.kind === kind);
  if (definition === undefined) throw new Error(`no leaf is called ${kind}`);
  return definition;
}

export function isReference(definition: LeafDefinition | ReferenceDefinition): definition is ReferenceDefinition {
  return "nodeOf" in definition;
}
