import type { CriteriaNode } from "../criteria.ts";
import type { ListNames } from "../leaves/list/listNames.ts";
import { CRITERIA_LIMITS } from "../limits.ts";
import type { CriteriaContext } from "./context.ts";
import type { Problems } from "./problems.ts";

/** One run of the parser over one criteria object. */
export interface Parse {
  readonly context: CriteriaContext;
  readonly problems: Problems;
  readonly seen: Seen;
  /** Shared by the runs over all criteria that one object refers to: each saved audience is read once. */
  readonly audiences: Map<string, ReadAudience | "open">;
  readonly parseNode: ParseNode;
}

export interface Seen {
  nodes: number;
  /** Nodes of the saved audiences that were referred to, written out. */
  referred: number;
  /** The longest row of references. */
  deep: number;
  lists?: ListNames;
}

export type ParseNode = (input: unknown, path: string, depth: number, parse: Parse) => CriteriaNode | undefined;

/** A saved audience as it was read: its rule with all that it refers to, or why there is none. */
export type ReadAudience =
  | { readonly kind: "ok"; readonly node: CriteriaNode; readonly nodes: number; readonly deep: number }
  | { readonly kind: "invalid"; readonly code: Refusal; readonly message: string };

export type Refusal = "cycle" | "limit_exceeded" | "unknown_reference";

/** Tells what is too large. Criteria that are to be saved leave space for the one rule that refers to them. */
export function tooLarge({ context, seen }: Pick<Parse, "context" | "seen">): string | undefined {
  const { writtenOutMax, referencesDeepMax } = CRITERIA_LIMITS;
  const nodes = seen.nodes + seen.referred + (context.self === undefined ? 0 : 1);
  const deep = seen.deep - (context.namesAudience === true ? 1 : 0);
  if (nodes > writtenOutMax) return `written out, criteria have at most ${writtenOutMax} nodes`;
  return deep > referencesDeepMax
    ? `saved audiences refer to one another at most ${referencesDeepMax} deep`
    : undefined;
}
