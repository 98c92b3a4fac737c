import { z } from "zod";
import { storableText } from "../../paging/query.ts";
import { tableIndexes, tableName } from "../tableShape.ts";

export const body = z.object({
  key: storableText(128).min(1),
  name: tableName.optional(),
  indexes: tableIndexes,
  contactObject: z.boolean().optional(),
  autogenerateIDs: z.boolean().optional(),
});
export type CreateTableBody = z.output<typeof body>;

export const requestExample = {
  key: "cars",
  name: "Cars",
  indexes: [
    { field: "model", type: "string" },
    { field: "year", type: "number" },
  ],
  contactObject: true,
};
