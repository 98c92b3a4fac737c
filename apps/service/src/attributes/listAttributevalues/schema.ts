import { attributeTypes } from "@headwater/contracts";
import { z } from "zod";
import { afterQuery } from "../../paging/query.ts";

const VALUES_USUAL = 25;
const VALUES_MAX = 500;

export const query = z.strictObject({
  ...afterQuery,
  as: z
    .enum(attributeTypes)
    .optional()
    .describe("Reads the values as this type, and counts those that it cannot read."),
  limit: z.coerce.number().int().min(1).max(VALUES_MAX).default(VALUES_USUAL),
});

const counted = z.array(z.strictObject({ value: z.unknown(), count: z.number().int() }));
export const valuesAnswer = z.strictObject({
  data: counted,
  missing: z.number().int(),
  notCast: z.number().int().optional().describe("With `as`: contacts whose value the type cannot read."),
  retained: counted.optional().meta({
    description: "Values kept of deleted contacts by `retainOnDestroy`, with the number of contacts per value.",
  }),
  asOf: z.string(),
});

export const valuesExample = {
  data: [
    { value: "GB", count: 812 },
    { value: "DE", count: 44 },
  ],
  missing: 17,
  asOf: "2026-01-09T22:47:12.000Z",
};
