import { recordConditions, shapes } from "@headwater/contracts";
import { z } from "zod";
import { storableText } from "../paging/query.ts";

const apiShape = z.strictObject({ enabled: z.boolean() }).describe("False refuses `/send`; tests still go out.");
const offShape = z
  .strictObject({ enabled: z.literal(false) })
  .describe("Always false: a template is sent by calls of the API and for activities.");

/** Activities that a send makes by itself: a template that is sent for one of them would be sent for ever. */
const OWN_ACTIONS: ReadonlySet<string> = new Set(["message-sent", "message-stopped", "bounce"]);

const action = storableText(shapes.bounds.eventNameCharacters)
  .min(1)
  .refine((name) => !OWN_ACTIONS.has(name), {
    message: "is what a send itself reports",
    params: { code: "not_allowed" },
  });

/** Sends the template for each activity that fits. */
export const eventShape = z
  .strictObject({
    enabled: z.boolean(),
    action: action.optional().describe("Name of the activities; required to be enabled."),
    where: recordConditions.optional().describe("Conditions on the activity's properties. All must hold."),
  })
  .superRefine(({ enabled, action: name }, context) => {
    if (!enabled || name !== undefined) return;
    const message = "is required for an enabled trigger";
    context.addIssue({ code: "custom", path: ["action"], message, params: { code: "required" } });
  })
  .describe("True sends the published content to the contact of each activity that fits, once for each activity.");

/** Triggers of a template, as they are stored and shown. */
export const triggersShape = z.strictObject({ api: apiShape, event: eventShape, recurring: offShape });
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
