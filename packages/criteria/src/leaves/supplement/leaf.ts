import { z } from "zod";
import { count, name, properties } from "../../grammar/parts.ts";
import type { LeafDefinition } from "../leaf.ts";
import { sawOfRecords, selectOwners } from "./compile.ts";
import { parseSupplement } from "./parse.ts";
import type { SupplementLeaf } from "./supplement.ts";
import { supplementTrend } from "./trend.ts";

/** Contacts by how many records of a supplement table belong to them. */
export const supplementLeaf: LeafDefinition<SupplementLeaf> = {
  kind: "supplement",
  forms: [
    {
      supplement: name.describe("Key of the table."),
      where: properties,
      join: z
        .strictObject({ contact: name, record: name })
        .describe("Which field of the contact equals which of the record; left out where the table carries contacts.")
        .optional(),
      count: count.optional(),
    },
  ],
  examples: [
    {
      supplement: "shops",
      where: [{ field: "city", op: "eq", value: "Bonn" }],
      join: { contact: "attributes.color", record: "color" },
      count: { op: "gte", value: 2 },
    },
  ],
  parse: parseSupplement,
  select: selectOwners,
  trend: supplementTrend,
  saw: sawOfRecords,
};
