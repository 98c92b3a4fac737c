import { z } from "zod";
import { pageOf } from "../../paging/answerSchema.ts";
import { listQuery, storableText } from "../../paging/query.ts";
import { listShape } from "../listShape.ts";

export const query = z.strictObject({
  ...listQuery,
  sort_by: z.enum(["id", "name"]).optional(),
  name: storableText(512).optional(),
});
export type ListsQuery = z.output<typeof query>;

/** Lists by name go on behind a name without case. */
export const cursorKey = z.union([z.int32(), storableText(512)]);

export const LIST_MEMBERS = ["id", "name", "enhanced", "count"] as const;

const list = listShape.extend({
  count: z.number().int().describe("Contacts on the list; where `fields` names it.").optional(),
});
export const listsAnswer = pageOf(list.partial());

export const listsExample = {
  data: [{ id: 1, name: "vip", enhanced: false }],
  pagination: { per_page: 25, page: 1, next_cursor: null },
};
