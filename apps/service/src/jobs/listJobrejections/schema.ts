import { z } from "zod";
import { pageOf } from "../../paging/answerSchema.ts";
import { listQuery, storableText } from "../../paging/query.ts";
import { rejectionShape } from "./rejection.ts";

export const params = z.strictObject({ id: storableText(64) });
export const query = z.strictObject({
  ...listQuery,
  sort_by: z.literal("index").optional(),
});
export type RejectionsQuery = z.output<typeof query>;

export const rejectionsAnswer = pageOf(rejectionShape.partial());

export const rejectionsExample = {
  data: [
    {
      index: 3,
      line: 5,
      code: "VALIDATION_ERROR",
      message: "It is no address.",
      path: "/email",
      record: { email: "" },
    },
  ],
  pagination: { per_page: 25, page: 1, next_cursor: null },
};
