import { z } from "zod";

const content = z.looseObject({ includes: z.array(z.string()) });

/** Members of a frozen message that its job reads. */
const frozen = z.looseObject({
  channel: z.string(),
  transportId: z.string().nullable(),
  classification: z.enum(["promotional", "transactional"]),
  onUnknown: z.enum(["skip", "resend"]),
  priority: z.number().int(),
  content,
  experiment: z.looseObject({ variants: z.array(z.looseObject({ content })) }).optional(),
});
export type FrozenMembers = z.output<typeof frozen>;

/** @param text JSON. */
export function readFrozen(text: string | null): FrozenMembers {
  const given: unknown = JSON.parse(text ?? "null");
  return frozen.parse(given);
}

/** Returns the keys of the includes that a message and its variants name. */
export function includesOfFrozen({ content: base, experiment }: FrozenMembers): string[] {
  const variants = experiment?.variants.flatMap((variant) => variant.content.includes) ?? [];
  return [...new Set([...base.includes, ...variants])];
}
