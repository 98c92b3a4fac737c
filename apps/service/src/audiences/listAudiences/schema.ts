import { z } from "zod";
import { pageOf } from "../../paging/answerSchema.ts";
import { listQuery, storableText } from "../../paging/query.ts";
import { audienceExample, audienceShape } from "../audienceView.ts";

export const query = z.strictObject({
  ...listQuery,
  sort_by: z.enum(["ct", "createdAt", "key", "name"]).optional(),
  tags: storableText(4_096)
    .min(1)
    .describe("Names of tags, with commas between: audiences with one of them.")
    .optional(),
});
export type AudiencesQuery = z.output<typeof query>;

export const cursorKey = z.strictObject({
  createdAt: z.number().int(),
  key: storableText(1_024),
  /** Given in lists by name. */
  name: storableText(1_024).optional(),
});

export const audiencesAnswer = pageOf(audienceShape.partial());

export const audiencesExample = {
  data: [audienceExample],
  pagination: { per_page: 25, page: 1, next_cursor: null },
};
