import { z } from "zod";
import { pageOf } from "../../paging/answerSchema.ts";
import { listQuery, storableText } from "../../paging/query.ts";
import {
  addressText,
  channelName,
  suppressionExample,
  suppressionReasons,
  suppressionShape,
} from "../suppressionView.ts";

export const query = z.strictObject({
  ...listQuery,
  channel: channelName.optional(),
  reason: z.enum(suppressionReasons).optional(),
  address: addressText.optional().describe("Of `channel`, without it of email, sms or push."),
});
export type SuppressionsQuery = z.output<typeof query>;

export const cursorKey = z.strictObject({ createdAt: z.number().int(), id: storableText(64) });

export const suppressionsAnswer = pageOf(suppressionShape.partial());

export const suppressionsExample = {
  data: [suppressionExample],
  pagination: { per_page: 25, page: 1, next_cursor: null },
};
