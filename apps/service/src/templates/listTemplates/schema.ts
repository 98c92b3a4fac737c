import { z } from "zod";
import { pageOf } from "../../paging/answerSchema.ts";
import { bound, listQuery, storableText } from "../../paging/query.ts";
import { templateExample, templateShape } from "../templateView.ts";

export const query = z.strictObject({
  ...listQuery,
  sort_by: z.enum(["ct", "key", "lm", "name"]).optional(),
  "ct[gt]": bound,
  "ct[gte]": bound,
  "ct[lt]": bound,
  "ct[lte]": bound,
  "lm[gt]": bound,
  "lm[gte]": bound,
  "lm[lt]": bound,
  "lm[lte]": bound,
  tags: storableText(4_096).optional().describe("Names of tags, with commas between: templates with one of them."),
  orchestrationID: storableText(64).optional().describe("Templates that this orchestration sends."),
  compositionID: storableText(64)
    .optional()
    .describe("Templates that this published version of an orchestration sends."),
});
export type TemplatesQuery = z.output<typeof query>;

export const cursorKey = z.strictObject({
  ct: z.number().int(),
  key: storableText(1_024),
  /** Given in lists by the last change, and by name. */
  lm: z.number().int().optional(),
  name: storableText(1_024).optional(),
});

export const templatesAnswer = pageOf(templateShape.partial());

export const templatesExample = {
  data: [templateExample],
  pagination: { per_page: 25, page: 1, next_cursor: null },
};
