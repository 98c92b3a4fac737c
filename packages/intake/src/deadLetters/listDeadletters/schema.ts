import { pageOf } from "@headwater/api/paging/answerSchema";
import { bound, listQuery, storableText } from "@headwater/api/paging/query";
import { deadLetterStatuses } from "@headwater/contracts";
import { z } from "zod";
import { deadLetterAnswer } from "../deadLetterView.ts";

export const query = z.strictObject({
  ...listQuery,
  sort_by: z.literal("rejectedAt").optional(),
  operation: storableText(64).optional(),
  code: storableText(64).optional(),
  /** Bounds of the time of rejection: from included, to excluded. */
  from: bound,
  to: bound,
  /** Default: the open ones, which a redrive or discard of the same filters would take. */
  status: z.enum([...deadLetterStatuses, "any"]).optional(),
  group: z.literal("code").optional(),
});
export type DeadlettersQuery = z.output<typeof query>;

export const cursorKey = z.strictObject({ rejectedAt: z.number().int(), recordId: storableText(1_024) });

const cause = z.strictObject({
  code: z.string(),
  operation: z.string(),
  count: z.number().int(),
  first: z.string(),
  last: z.string(),
  sampleId: z.string(),
});

export const CAUSE_MEMBERS = Object.keys(cause.shape);

export const causeKey = z.strictObject({
  count: z.number().int(),
  code: storableText(128),
  operation: storableText(128),
});
export type CauseKey = z.output<typeof causeKey>;

export const deadlettersAnswer = pageOf(z.union([deadLetterAnswer.partial(), cause.partial()]));
