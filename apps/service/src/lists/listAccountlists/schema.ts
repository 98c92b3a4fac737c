import { z } from "zod";
import { pageOf } from "../../paging/answerSchema.ts";
import { listQuery, storableText } from "../../paging/query.ts";

export const query = z.strictObject({
  ...listQuery,
  sort_by: z.literal("id").optional(),
  name: storableText(512).optional(),
});
export type ListsQuery = z.output<typeof query>;

export const cursorKey = z.int32();

export const LIST_MEMBERS = ["id", "name", "enhanced"] as const;

const list = z.strictObject({ id: z.number().int(), name: z.string(), enhanced: z.boolean() });
export const listsAnswer = pageOf(list.partial());

export const listsExample = {
  data: [{ id: 1, name: "vip", enhanced: false }],
  pagination: { per_page: 25, page: 1, next_cursor: null },
};
