import { findEnabledTest } from "@headwater/contracts";
import { queryRefusal } from "@headwater/http";
import type { StoredContent } from "@headwater/messaging";
import type { MessageTest } from "./messageMembers.ts";

/** An experiment as render routes show it. */
export interface ShownExperiment {
  readonly name: string;
  readonly strategy: string;
  readonly variants: readonly string[];
}

/** Returns the enabled test of a message: a list of one, or none. */
export function experimentsOf(tests: readonly MessageTest[]): ShownExperiment[] {
  const found = findEnabledTest(tests);
  if (found === undefined) return [];
  const { name, type, variants = [] } = found.test;
  return [{ name: name ?? type, strategy: type, variants: variants.map((variant) => variant.name) }];
}

/** Variant that a render route is asked for; both or none. */
export interface NamedVariant {
  readonly experiment?: string | undefined;
  readonly variant?: string | undefined;
}

interface Contents {
  readonly base: StoredContent;
  readonly variants: readonly StoredContent[];
}

/** Returns the content that is asked for. @throws HeadwaterError 400 for a name that the enabled experiment does not have. */
export function namedContent(
  { base, variants }: Contents,
  { experiment, variant }: NamedVariant,
  [enabled]: readonly ShownExperiment[],
): StoredContent {
  if (experiment === undefined || variant === undefined) return base;
  if (enabled?.name !== experiment) throw unknownName("/experiment", "No enabled experiment has this name.");
  const found = variants[enabled.variants.indexOf(variant)];
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
