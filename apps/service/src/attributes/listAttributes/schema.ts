import { attributeTypes } from "@headwater/contracts";
import { z } from "zod";
import { pageOf } from "../../paging/answerSchema.ts";
import { listQuery, storableText } from "../../paging/query.ts";
import { definitionExample, definitionShape } from "../definitionShape.ts";

export const query = z.strictObject({
  ...listQuery,
  sort_by: z.enum(["key", "name"]).optional(),
  type: z.enum([...attributeTypes, "auto"]).optional(),
  indexed: z.enum(["true", "false"]).optional(),
});
export type DefinitionsQuery = z.output<typeof query>;

const key = storableText(1_024);
/** Lists by key go on behind a key alone. */
export const cursorKey = z.union([key, z.strictObject({ key, name: storableText(1_024) })]);

export const definitionsAnswer = pageOf(definitionShape.partial());

export const definitionsExample = {
  data: [definitionExample],
  pagination: { per_page: 25, page: 1, next_cursor: null },
};
