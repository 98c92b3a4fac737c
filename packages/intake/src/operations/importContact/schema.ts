import { shapes } from "@headwater/contracts";
import { z } from "zod";
import { importStrategy } from "../importStrategy.ts";

const LISTS_MAX = 1_000;

const importMembers = {
  contact: shapes.contact,
  /** Memberships by the list's id. */
  lists: z
    .record(z.string().regex(/^[1-9][0-9]{0,9}$/), z.boolean())
    .refine((lists) => Object.keys(lists).length <= LISTS_MAX, { message: `names more than ${LISTS_MAX} lists` })
    .optional(),
  strategy: importStrategy,
  /** The source can only spell values of attributes without a type, and items of arrays: a text that spells the stored value is that value. */
  isSpelled: z.boolean().optional(),
  /** The same of arrays and objects alone: a file of cells quotes its texts, but not what tells a text from JSON. */
  spellsStructures: z.boolean().optional(),
} as const;

export const body = z.strictObject({
  source: shapes.source,
  suppressTriggers: shapes.suppressTriggers,
  ...importMembers,
});

export const record = z.strictObject({ ...shapes.recordMembers, ...importMembers });
export type ImportContactRecord = z.infer<typeof record>;
