import { scalarAt } from "./facts.ts";
import { type Composition, EVENT_FIELD, type Node } from "./orchestration.ts";
import type { Answer } from "./run.ts";

/** Criteria that a version asks of contacts. */
export interface AskedCriteria {
  /** JSON pointer into the version. */
  readonly pointer: string;
  /** Criteria object. */
  readonly criteria: object;
  /** Result of the node that they stand for; undefined for those that let a contact in or end its run. */
  readonly label?: string;
}

/** Returns the criteria that decide the result of a node. @param index of the node in the version's actions. */
export function criteriaOfNode(node: Node, index: number): AskedCriteria[] {
  const at = `/actions/${index}/config`;
  if (node.type === "filter") return [{ pointer: `${at}/criteria`, criteria: node.config.criteria, label: "yes" }];
  if (node.type !== "wait") return [];
  return node.config.any.flatMap(({ criteria }, position) =>
    criteria === undefined ? [] : [{ pointer: `${at}/any/${position}/criteria`, criteria, label: String(position) }],
  );
}

/** Returns the criteria that end a run before its next step. */
export function criteriaOfExits({ exit }: Pick<Composition, "exit">): AskedCriteria[] {
  return exit.flatMap(({ criteria }, index) =>
    criteria === undefined ? [] : [{ pointer: `/exit/${index}/criteria`, criteria }],
  );
}

/** Returns the criteria that let a contact in. */
export function criteriaOfEntry({ entry: { audience } }: Pick<Composition, "entry">): AskedCriteria[] {
  return audience === undefined ? [] : [{ pointer: "/entry/audience", criteria: { audience } }];
}

/** Everything that has to be known before a node acts. */
export interface Question {
  readonly criteria: readonly AskedCriteria[];
  readonly wantsZone?: boolean;
  readonly field?: string | undefined;
}

/** Returns what a node needs: criteria, and a contact's date or zone; undefined for nothing. */
export function questionOf(node: Node, criteria: readonly AskedCriteria[]): Question | undefined {
  const { field, until } = node.type === "delay" ? node.config : {};
  const wantsZone = until?.zone === "contact";
  const asked = field?.startsWith(EVENT_FIELD) ? undefined : field;
  return criteria.length > 0 || wantsZone || asked !== undefined ? { criteria, wantsZone, field: asked } : undefined;
}

/** Returns the date that a delay counts from: of the starting activity, or of the contact as the answer has it. */
export function dateOf(
  field: string | undefined,
  properties: Readonly<Record<string, unknown>>,
  answer: Answer | undefined,
): unknown {
  return field?.startsWith(EVENT_FIELD) ? scalarAt(properties, field.slice(EVENT_FIELD.length)) : answer?.value;
}

/** Returns the first of the criteria that an answer says the contact fits. */
export function fittingOf(criteria: readonly AskedCriteria[], answer: Answer | undefined): AskedCriteria | undefined {
  return criteria.find(({ pointer }) => answer?.fits.includes(pointer));
}
