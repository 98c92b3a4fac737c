import { z } from "zod";
import { pageOf } from "../../paging/answerSchema.ts";
import { listQuery, storableText } from "../../paging/query.ts";
import { programExample, programShape } from "../programView.ts";

export const query = z.strictObject({ ...listQuery, sort_by: z.enum(["ct", "createdAt", "name"]).optional() });
export type ProgramsQuery = z.output<typeof query>;

export const cursorKey = z.strictObject({
  createdAt: z.number().int(),
  name: storableText(1_024),
  id: storableText(1_024),
});

export const programsAnswer = pageOf(programShape.partial());

export const programsExample = {
  data: [programExample],
  pagination: { per_page: 25, page: 1, next_cursor: null },
};
