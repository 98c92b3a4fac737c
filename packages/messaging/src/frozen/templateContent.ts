import { z } from "zod";
import { storedTestShape } from "./frozenExperiment.ts";
import { storedContentShape } from "./storedContent.ts";

const content = storedContentShape.extend({
  tests: z.array(storedTestShape).default([]),
  /** Contents of the enabled test's variants, in their order. */
  variants: z.array(storedContentShape).default([]),
});

/** A content as templates keep it, with its experiment. */
export type TemplateContent = z.output<typeof content>;

/** @param text JSON. */
export function readTemplateContent(text: string): TemplateContent {
  const input: unknown = JSON.parse(text);
  return content.parse(input);
}

/** Returns the keys of the includes that contents and their variants name, each once. */
export function includesOf(...contents: readonly (string | null)[]): string[] {
  const keys = contents.flatMap((text) => {
    if (text === null) return [];
    const { includes, variants } = readTemplateContent(text);
    return [...includes, ...variants.flatMap((variant) => variant.includes)];
  });
  return [...new Set(keys)].sort();
}
