import { z } from "zod";
import { pageOf } from "../../paging/answerSchema.ts";
import { listQuery, storableText } from "../../paging/query.ts";
import { includeExample, includeShape } from "../includeView.ts";

export const query = z.strictObject({
  ...listQuery,
  sort_by: z.enum(["createdAt", "key"]).optional(),
  key: storableText(1_024).optional(),
});
export type IncludesQuery = z.output<typeof query>;

export const cursorKey = z.strictObject({ createdAt: z.number().int(), key: storableText(1_024) });

export const includesAnswer = pageOf(includeShape.partial());

export const includesExample = {
  data: [includeExample],
  pagination: { per_page: 25, page: 1, next_cursor: null },
};
