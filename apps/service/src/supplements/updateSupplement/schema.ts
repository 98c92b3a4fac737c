import { z } from "zod";
import { tableIndexes, tableName } from "../tableShape.ts";

export const body = z.object({
  key: z.string().optional().describe("That of the path."),
  name: tableName.nullable().optional(),
  indexes: tableIndexes.optional(),
});
export type UpdateTableBody = z.output<typeof body>;

export const requestExample = { name: "Cars", indexes: [{ field: "model", type: "string" }] };
