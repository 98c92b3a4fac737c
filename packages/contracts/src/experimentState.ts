import { z } from "zod";

export const experimentTypes = ["split", "split-with-champion", "bandit"] as const;
export type ExperimentType = (typeof experimentTypes)[number];

/** Numbers that variants are compared by, each per send. */
export const experimentMetrics = ["uniqueOpens", "uniqueClicks", "conversions", "revenue"] as const;
export type ExperimentMetric = (typeof experimentMetrics)[number];

/** Reasons for which no variant of a champion test won. */
export const splitReasons = ["too-few-sends", "tie"] as const;

/** End of a champion's test. It is stored once and never changes. */
const decision = z.object({
  /** Name of a variant; null where the message stays a split. */
  winner: z.string().nullable(),
  reason: z.enum(splitReasons).optional(),
  /** Milliseconds since 1970. */
  at: z.number(),
});
export type ExperimentDecision = z.output<typeof decision>;

/** Weights of a bandit in force. */
const weights = z.object({
  /** One for each variant, in their order; they add up to 1. */
  shares: z.array(z.number()),
  /** Counts the renewals. */
  renewal: z.number(),
  /** Milliseconds since 1970. */
  at: z.number(),
});
export type BanditWeights = z.output<typeof weights>;

/** Knowledge that an experiment has gained so far, as it is stored next to its message. */
const experimentState = z.object({ decision: decision.optional(), weights: weights.optional() });
export type ExperimentState = z.output<typeof experimentState>;

/** @param text JSON; null before anything was learnt. */
export function readExperimentState(text: string | null): ExperimentState {
  const input: unknown = text === null ? {} : JSON.parse(text);
  return experimentState.parse(input);
}
