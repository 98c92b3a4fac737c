import { storableText } from "@headwater/api/paging/query";
import { recordConditions, shapes } from "@headwater/contracts";
import { z } from "zod";
import { CRON_CHARACTERS_MAX } from "../schedule/cron.ts";

const apiShape = z.strictObject({ enabled: z.boolean() }).describe("False refuses `/send`; tests still go out.");

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

const zone = storableText(64).min(1);

const schedule = z.strictObject({
  cron: storableText(CRON_CHARACTERS_MAX).min(1).describe("Minute, hour, day of month, month, day of week."),
  timezone: zone.optional().describe("IANA name; else the account's."),
});

/** Sends the template to an audience, again and again. */
export const recurringShape = z
  .strictObject({
    enabled: z.boolean(),
    schedule: schedule.optional().describe("Required to be enabled."),
    audience: z
      .looseObject({})
      .optional()
      .describe("Criteria; or `audience-key`. One of them is required to be enabled."),
    "audience-key": storableText(1_024).min(1).optional().describe("Key of a saved audience."),
  })
  .superRefine(({ enabled, schedule: when, audience, "audience-key": key }, context) => {
    const refuse = (member: string, code: string, message: string) =>
      context.addIssue({ code: "custom", path: [member], message, params: { code } });
    if (audience !== undefined && key !== undefined)
      refuse("audience", "not_allowed", "is named by `audience-key` already");
    if (!enabled) return;
    if (when === undefined) refuse("schedule", "required", "is required for an enabled trigger");
    if (audience === undefined && key === undefined)
      refuse("audience", "required", "or `audience-key` is required for an enabled trigger");
  })
  .describe("True sends the published content to each contact of the audience at each tick of the schedule.");
export type Recurring = z.output<typeof recurringShape>;

/** Triggers of a template, as they are stored and shown. */
export const triggersShape = z.strictObject({ api: apiShape, event: eventShape, recurring: recurringShape });
export type Triggers = z.output<typeof triggersShape>;

/** Triggers of a template, as bodies give them. */
export const triggersBody = triggersShape.partial();
export type TriggersInput = z.output<typeof triggersBody>;

export const triggerTypesShape = z.array(z.enum(["api", "event", "recurring"]));

/** Triggers of a template that says nothing of them. */
export const defaultTriggers = {
  api: { enabled: true },
  event: { enabled: false },
  recurring: { enabled: false },
} as const satisfies Triggers;

/** Returns the kinds of triggers that are enabled. */
export function triggerTypes(triggers: Triggers): z.output<typeof triggerTypesShape> {
  return triggerTypesShape.element.options.filter((type) => triggers[type].enabled);
}

const triggered = z.object({ triggerTypesEnabled: z.array(z.string()) });

/** Returns what a template starts from now on: nothing, or what activities and its schedule bring. @param record as a GET answers it. */
export function startsByTriggers(record: unknown): 0 | "unknown" {
  const { data } = triggered.safeParse(record);
  return data?.triggerTypesEnabled.some((type) => type !== "api") === true ? "unknown" : 0;
}
