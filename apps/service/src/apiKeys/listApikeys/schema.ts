import { z } from "zod";
import { pageOf } from "../../paging/answerSchema.ts";
import { listQuery, storableText } from "../../paging/query.ts";
import { apiKeyExample, apiKeyShape } from "../apiKeyView.ts";

export const query = z.strictObject({ ...listQuery, sort_by: z.literal("ct").optional() });
export type KeysQuery = z.output<typeof query>;

/** Milliseconds of its making, and id. */
export const cursorKey = z.tuple([z.number().int(), storableText(64)]);

export const keysAnswer = pageOf(apiKeyShape.partial());

export const keysExample = {
  data: [apiKeyExample],
  pagination: { per_page: 25, page: 1, next_cursor: null },
};
