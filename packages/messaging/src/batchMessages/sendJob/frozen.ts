import { storedCriteria } from "@headwater/analytics/exports/contacts/stageContacts";
import { experimentMetrics, experimentTypes } from "@headwater/contracts";
import { z } from "zod";

const content = z.looseObject({ includes: z.array(z.string()) });

/** An experiment as its message began with it. */
const experiment = z.object({
  type: z.enum(experimentTypes),
  variants: z.array(z.object({ name: z.string(), weight: z.number(), content })),
  metric: z.enum(experimentMetrics).optional(),
  goal: storedCriteria.optional(),
  testPercent: z.number().optional(),
  decideAfterMinutes: z.number().optional(),
});
export type FrozenExperiment = z.output<typeof experiment>;

/** Members of a frozen message that its job reads. */
const frozen = z.looseObject({
  channel: z.string(),
  transportId: z.string().nullable(),
  classification: z.enum(["promotional", "transactional"]),
  onUnknown: z.enum(["skip", "resend"]),
  priority: z.number().int(),
  content,
  experiment: z.looseObject(experiment.shape).optional(),
});
export type FrozenMembers = z.output<typeof frozen>;

/** @param text JSON. */
export function readFrozen(text: string | null): FrozenMembers {
  const input: unknown = JSON.parse(text ?? "null");
  return frozen.parse(input);
}

/** Returns the keys of the includes that a message and its variants name. */
export function includesOfFrozen({ content: base, experiment }: FrozenMembers): string[] {
  const variants = experiment?.variants.flatMap((variant) => variant.content.includes) ?? [];
  return [...new Set([...base.includes, ...variants])];
}
