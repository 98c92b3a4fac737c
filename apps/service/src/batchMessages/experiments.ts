import { findEnabledTest } from "@headwater/contracts";
import { refusal } from "@headwater/http";
import type { StoredContent } from "@headwater/messaging";
import { invalidContent } from "../messages/prepareParts.ts";
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

/** Returns the content that is asked for. Throws 400 for one name without the other, 422 `VALIDATION_ERROR` for an unknown variant. */
export function namedContent(
  { base, variants }: Contents,
  { experiment, variant }: NamedVariant,
  [enabled]: readonly ShownExperiment[],
): StoredContent {
  if (experiment === undefined || variant === undefined) return base;
  const found = enabled?.name === experiment ? variants[enabled.variants.indexOf(variant)] : undefined;
  if (found !== undefined) return found;
  const message = "No enabled experiment has this variant.";
  throw invalidContent([{ path: "/variant", code: "unknown_reference", message }]);
}

/** @throws HeadwaterError 400 for one name without the other. */
export function expectBothNames({ experiment, variant }: NamedVariant): void {
  if ((experiment === undefined) === (variant === undefined)) return;
  const message = "`experiment` and `variant` are given together.";
  throw refusal("BAD_REQUEST", message, { details: [{ path: "/variant", code: "required", message }] });
}
