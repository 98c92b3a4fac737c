import { z } from "zod";
import { pageOf } from "../../paging/answerSchema.ts";
import { listQuery, storableText } from "../../paging/query.ts";

export const params = z.strictObject({ id: storableText(64) });
export const query = z.strictObject({
  ...listQuery,
  sort_by: z.literal("index").optional(),
});
export type RejectionsQuery = z.output<typeof query>;

export const cursorKey = z.number().int();

export const REJECTION_MEMBERS = ["index", "line", "code", "message", "path", "record"] as const;
const rejection = z.strictObject({
  /** The row's place in the source, from 0. */
  index: z.number().int(),
  /** Line of the source it begins on, from 1; absent where the source has none. */
  line: z.number().int().optional(),
  code: z.string(),
  message: z.string(),
  path: z.string().optional(),
  /** The row as it was read. */
  record: z.unknown(),
});
export const rejectionsAnswer = pageOf(rejection.partial());

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
