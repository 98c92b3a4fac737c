import { experimentMetrics, experimentTypes, findEnabledTest } from "@headwater/contracts";
import { z } from "zod";
import { type StoredContent, storedContentShape } from "./storedContent.ts";

const variant = z.object({ name: z.string(), weight: z.number(), content: storedContentShape });

/** An enabled experiment as it stood when the send began; its variants have their whole contents. */
export const frozenExperiment = z.object({
  name: z.string(),
  type: z.enum(experimentTypes),
  variants: z.array(variant),
  metric: z.enum(experimentMetrics).optional(),
  /** Checked criteria of the contacts that reached the goal. */
  goal: z.unknown().optional(),
  testPercent: z.number().optional(),
  decideAfterMinutes: z.number().optional(),
});
export type FrozenExperiment = z.output<typeof frozenExperiment>;

/** A test of a message as its account wrote it, checked. */
export const storedTestShape = z.looseObject({
  type: z.enum(experimentTypes),
  enabled: z.boolean(),
  name: z.string().optional(),
  variants: z.array(z.looseObject({ name: z.string(), weight: z.number().optional() })).optional(),
  metric: z.enum(experimentMetrics).optional(),
  goal: z.object({ action: z.string(), where: z.array(z.looseObject({})).optional() }).optional(),
  testPercent: z.number().optional(),
  decideAfterMinutes: z.number().optional(),
});

type Decided = Pick<FrozenExperiment, "type" | "metric" | "testPercent" | "decideAfterMinutes">;
interface TestToFreeze extends Decided {
  readonly enabled: boolean;
  readonly name?: string | undefined;
  readonly variants?: readonly { readonly name: string; readonly weight?: number | undefined }[] | undefined;
}

/** Returns the enabled test as senders read it. @param contents prepared contents of its variants, in their order. */
export function freezeExperiment(
  tests: readonly TestToFreeze[],
  contents: readonly StoredContent[],
  goal?: unknown,
): FrozenExperiment | undefined {
  const found = findEnabledTest(tests);
  if (found === undefined) return undefined;
  const { name, type, variants = [], metric, testPercent, decideAfterMinutes } = found.test;
  return {
    ...{ name: name ?? type, type },
    ...(metric !== undefined && { metric }),
    ...(goal !== undefined && { goal }),
    ...(testPercent !== undefined && { testPercent }),
    ...(decideAfterMinutes !== undefined && { decideAfterMinutes }),
    variants: contents.flatMap((content, index) => {
      const named = variants[index];
      return named === undefined ? [] : [{ name: named.name, weight: named.weight ?? 1, content }];
    }),
  };
}
