import { type ExperimentState, findEnabledTest } from "@headwater/contracts";
import { queryRefusal } from "@headwater/http";
import { chooseAutomatedVariant } from "../experiments/chooseVariant.ts";
import { freezeExperiment } from "../frozen/frozenExperiment.ts";
import type { StoredContent } from "../frozen/storedContent.ts";
import type { MessageTest } from "./messageMembers.ts";

/** An experiment as render routes show it. */
export interface ExperimentView {
  readonly name: string;
  readonly strategy: string;
  readonly variants: readonly string[];
  /** The variant that is rendered; null for the message's own content. */
  readonly variant: string | null;
}

/** Variant that a render route is asked for; both or none. */
export interface NamedVariant {
  readonly experiment?: string | undefined;
  readonly variant?: string | undefined;
}

/** Contents of a message, with its tests as they were written. */
export interface VariantContents {
  readonly base: StoredContent;
  readonly variants: readonly StoredContent[];
  readonly tests: readonly MessageTest[];
}

/** Contact that a message is rendered for. */
export interface RenderedContact {
  /** Id by which a contact's variant is chosen: that of the message, or of all days of a template. */
  readonly message: string;
  /** Number of the contact. */
  readonly contact: number;
  /** State that the experiment has learnt by now. */
  readonly learnt: ExperimentState;
}

/**
 * Returns the content that is rendered, and the enabled experiment, if any: the variant that is asked for, else the one that the contact gets.
 * @throws HeadwaterError 400 for a name that the enabled experiment does not have.
 */
export function chosenContent(
  { base, variants, tests }: VariantContents,
  named: NamedVariant,
  { learnt, ...located }: RenderedContact,
): { readonly content: StoredContent; readonly experiments: readonly ExperimentView[] } {
  const experiment = freezeExperiment(tests, variants);
  const chosen = isNamed(named)
    ? namedVariant(experiment, named)
    : experiment && chooseAutomatedVariant(experiment, learnt, located);
  const content = chosen?.content ?? base;
  if (experiment === undefined) return { content, experiments: [] };
  const { name, type: strategy } = experiment;
  const names = variantNames(tests);
  return { content, experiments: [{ name, strategy, variants: names, variant: chosen?.name ?? null }] };
}

function isNamed({ experiment, variant }: NamedVariant): boolean {
  return experiment !== undefined && variant !== undefined;
}

function variantNames(tests: readonly MessageTest[]): string[] {
  return (findEnabledTest(tests)?.test.variants ?? []).map(({ name }) => name);
}

function namedVariant(enabled: ReturnType<typeof freezeExperiment>, { experiment, variant }: NamedVariant) {
  if (enabled?.name !== experiment) throw unknownName("/experiment", "No enabled experiment has this name.");
  const found = enabled?.variants.find(({ name }) => name === variant);
  if (found === undefined) throw unknownName("/variant", "The experiment has no such variant.");
  return found;
}

function unknownName(path: string, message: string) {
  return queryRefusal([{ path, code: "unknown_reference", message }]);
}

/** @throws HeadwaterError 400 for one name without the other. */
export function expectBothNames({ experiment, variant }: NamedVariant): void {
  if ((experiment === undefined) === (variant === undefined)) return;
  const message = "`experiment` and `variant` are given together.";
  throw queryRefusal([{ path: variant === undefined ? "/variant" : "/experiment", code: "required", message }]);
}
