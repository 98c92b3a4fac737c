import { z } from "zod";
import type { LeafTable } from "../leaves/leaf.ts";
import { leaves } from "../leaves/leaves.ts";

type Shape = Readonly<Record<string, z.ZodType>>;

interface Grammar {
  readonly criteriaSchema: z.ZodType;
  /** Returns every form of a rule, with members of the caller in addition to its own. */
  formsWith(additional: Shape): z.ZodType[];
}

/**
 * Creates the grammar of criteria as a schema, for whoever writes them. What the parser takes passes it. The reverse does not hold: which
 * operators and values a field takes depends on the account, and so do the names.
 */
export function createGrammar(table: LeafTable): Grammar {
  const criteriaSchema: z.ZodType = z
    .lazy(() => z.union(formsWith({})))
    .meta({
      id: "Criteria",
      description: "A rule: one of `and`, `or`, `not`, or one leaf. At most 10 deep, 200 nodes and 64 KiB.",
    });
  const formsWith = (additional: Shape) => {
    const rules = z.array(criteriaSchema);
    const exclude = criteriaSchema.optional().describe("Contacts of this rule are left out.");
    const logic: Shape[] = [{ and: rules, exclude }, { or: rules, exclude }, { not: criteriaSchema }];
    const forms: Shape[] = [...logic, ...table.flatMap((leaf) => leaf.forms)];
    return forms.map((form) => z.strictObject({ ...form, ...additional }));
  };
  return { criteriaSchema, formsWith };
}

export const { criteriaSchema, formsWith } = createGrammar(leaves);
