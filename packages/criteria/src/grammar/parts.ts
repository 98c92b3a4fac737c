import { z } from "zod";
import { CRITERIA_LIMITS } from "../limits.ts";
import { OPERATORS } from "../operators.ts";
import { COMPARATORS } from "../parse/comparisons.ts";
import { WITHOUT_VALUE } from "../parse/parseCondition.ts";
import { UNITS } from "../parse/windows.ts";

/** Parts of criteria that say nothing of contacts by themselves. */

export const name = z.string().min(1);
export const span = z.strictObject({ n: z.int().min(0), unit: z.enum(UNITS) }).meta({ id: "CriteriaSpan" });
const instant = z.string().describe("A date, or a timestamp of ISO 8601; a date alone is its midnight in `timezone`.");

export const window = z
  .union([
    z.strictObject({ last: span }),
    z.strictObject({ next: span }),
    z.strictObject({ from: instant.optional(), to: instant.optional() }).describe("`from` included, `to` excluded."),
    z.strictObject({ between: z.tuple([span, span]) }).describe("From the older to the newer point."),
  ])
  .meta({ id: "CriteriaWindow", description: "Counted from `asOf`, back but for `next`." });

const comparator = z.enum(COMPARATORS);
export const count = z.strictObject({ op: comparator, value: z.int().min(0) });
export const sum = z.strictObject({ of: name, op: comparator, value: z.union([z.number(), z.string()]) });

const scalar = z.union([z.string(), z.number(), z.boolean()]);
const reach = { distance: z.number(), unit: z.enum(["km", "mi"]) };
const distance = z.union([
  z.strictObject({ lat: z.number(), lon: z.number(), ...reach }),
  z
    .strictObject({ postalCode: z.string(), country: z.string().length(2), ...reach })
    .describe("Needs the account's supplement table `postal_codes`."),
]);
const value = z.union([scalar, z.array(scalar).max(CRITERIA_LIMITS.valuesMax), span, distance]);

/** `op` with its value: which values an operator takes, and which operators a field, its type decides. */
const withValue = {
  op: z.enum(OPERATORS.auto).exclude([...WITHOUT_VALUE]),
  value,
  ci: z.boolean().describe("Ignore case.").optional(),
};
const withoutValue = { op: z.enum(WITHOUT_VALUE), ci: z.literal(false).optional() };
export const conditions = [withValue, withoutValue] as const;

const field = { field: name.describe("A dotted path.") };
/** A condition on a member of an event, an order, an item or a record. */
export const property = z
  .union([z.strictObject({ ...field, ...withValue }), z.strictObject({ ...field, ...withoutValue })])
  .meta({ id: "CriteriaProperty" });
export const properties = z.array(property).describe("All must hold on the same one.").optional();
