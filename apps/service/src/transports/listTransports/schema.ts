import { z } from "zod";
import { pageOf } from "../../paging/answerSchema.ts";
import { listQuery, storableText } from "../../paging/query.ts";
import { transportExample, transportShape } from "../transportView.ts";

export const query = z.strictObject({
  ...listQuery,
  sort_by: z.enum(["ct", "name"]).optional(),
  channel: storableText(1_024).optional(),
});
export type TransportsQuery = z.output<typeof query>;

export const cursorKey = z.strictObject({
  ct: z.number().int(),
  name: storableText(1_024),
  id: storableText(1_024),
});

export const transportsAnswer = pageOf(transportShape.partial());

export const transportsExample = {
  data: [transportExample],
  pagination: { per_page: 25, page: 1, next_cursor: null },
};
