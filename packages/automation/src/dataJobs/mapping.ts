import { z } from "zod";
import { mappingLimits } from "./mappingLimits.ts";

const text = z.string().max(mappingLimits.textCharacters);
const scalar = z.union([text, z.number(), z.boolean(), z.null()]);
const constant = z.union([scalar, z.array(scalar).max(mappingLimits.entries)]);
const atMost = (entries: number) => (value: object) => Object.keys(value).length <= entries;

const looked = z.strictObject({
  value: scalar.describe("An expression, or a constant."),
  map: z
    .record(text, constant)
    .refine(atMost(mappingLimits.entries), { message: "has too many entries", params: { code: "too_many" } })
    .describe("Values by what the expression says; what has no entry gets `default`, or nothing.")
    .optional(),
  default: constant.describe("Value where the expression says nothing.").optional(),
});

const expression = text.describe("An expression: `=` and JMESPath.");

const oneMapping = z.strictObject({
  each: expression.describe("List of elements, each of which makes a record; expressions begin at it.").optional(),
  when: expression.describe("An element for which it is false, empty or absent makes no record.").optional(),
  to: z
    .record(z.string().min(1).max(mappingLimits.pathCharacters), z.union([constant, looked]))
    .refine((to) => Object.keys(to).length > 0, { message: "is empty", params: { code: "required" } })
    .refine(atMost(mappingLimits.members), { message: "has too many members", params: { code: "too_many" } })
    .describe(
      'Values by the path in the record: `contact.identifiers.email`, `items[0].sku`, `identifiers."channels.sms.address"`.',
    ),
});

/** A mapping as a data job has it: one, or several that each make their records. */
export const mappingShape = z.union([oneMapping, z.array(oneMapping).min(1).max(mappingLimits.mappings)]);
export type Mapping = z.output<typeof mappingShape>;
