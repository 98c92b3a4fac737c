import { z } from "zod";

const apiShape = z.strictObject({ enabled: z.boolean() }).describe("False refuses `/send`; tests still go out.");
const offShape = z
  .strictObject({ enabled: z.literal(false) })
  .describe("Always false: a template is sent by calls of the API.");

/** Triggers of a template, as they are stored and shown. */
export const triggersShape = z.strictObject({ api: apiShape, event: offShape, recurring: offShape });
export type Triggers = z.output<typeof triggersShape>;

/** Triggers of a template, as bodies give them. */
export const triggersBody = triggersShape.partial();

export const triggerTypesShape = z.array(z.enum(["api", "event", "recurring"]));

/** Triggers of a template that says nothing of them. */
export const usualTriggers = {
  api: { enabled: true },
  event: { enabled: false },
  recurring: { enabled: false },
} as const satisfies Triggers;

/** Returns the kinds of triggers that are enabled. */
export function triggerTypes(triggers: Triggers): z.output<typeof triggerTypesShape> {
  return triggerTypesShape.element.options.filter((type) => triggers[type].enabled);
}
