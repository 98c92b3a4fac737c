import type { MessageSettings } from "./messageMembers.ts";

/** An experiment as render routes show it. */
export interface ShownExperiment {
  readonly name: string;
  readonly strategy: string;
  readonly variants: readonly string[];
}

/** Returns the enabled test of a message: a list of one, or none. */
export function experimentsOf({ tests }: Pick<MessageSettings, "tests">): ShownExperiment[] {
  return tests.flatMap(({ enabled, name, type, variants = [] }) =>
    enabled ? [{ name: name ?? type, strategy: type, variants: variants.map((variant) => variant.name) }] : [],
  );
}
