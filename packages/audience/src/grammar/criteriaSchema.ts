import { z } from "zod";
import { leafForms } from "./forms.ts";

type Shape = Readonly<Record<string, z.ZodType>>;

/**
 * The grammar of criteria as a schema, for whoever writes them. What the parser takes passes it. The reverse does not hold: which
 * operators and values a field takes depends on the account, and so do the names.
 */
export const criteriaSchema: z.ZodType = z
  .lazy(() => z.union(formsWith({})))
  .meta({
    id: "Criteria",
    description: "A rule: one of `and`, `or`, `not`, or one leaf. At most 10 deep, 200 nodes and 64 KiB.",
  });

/** Every form of a rule with more members beside its own. */
export function formsWith(beside: Shape): z.ZodType[] {
  const rules = z.array(criteriaSchema);
  const exclude = criteriaSchema.optional().describe("Contacts of this rule are left out.");
  const logic: Shape[] = [{ and: rules, exclude }, { or: rules, exclude }, { not: criteriaSchema }];
  const leaves: Shape[] = Object.values(leafForms).flat();
  return [...logic, ...leaves].map((form) => z.strictObject({ ...form, ...beside }));
}
