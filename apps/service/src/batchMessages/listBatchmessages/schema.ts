import { batchMessageStatuses } from "@headwater/domain/batchMessage";
import { z } from "zod";
import { pageOf } from "../../paging/answerSchema.ts";
import { bound, listQuery, storableText } from "../../paging/query.ts";
import { batchMessageShape, messageExample } from "../messageView.ts";

const isEnabled = z
  .enum(["true", "false"])
  .optional()
  .describe("Days and hours of templates with this trigger; batch messages have none.");

export const query = z.strictObject({
  ...listQuery,
  sort_by: z.enum(["ct"]).optional(),
  status: z
    .enum([...batchMessageStatuses, "tz-processing"])
    .optional()
    .describe("`tz-processing`: messages in the contacts' time zones that are `processing`."),
  "sendTime[gt]": bound,
  "sendTime[gte]": bound,
  "sendTime[lt]": bound,
  "sendTime[lte]": bound,
  "ct[gt]": bound,
  "ct[gte]": bound,
  "ct[lt]": bound,
  "ct[lte]": bound,
  tags: storableText(4_096).optional().describe("Names of tags, with commas between: messages with one of them."),
  mdtID: storableText(64).optional().describe("Days and hours of this template; batch messages have none."),
  "triggers[api][enabled]": isEnabled,
  "triggers[event][enabled]": isEnabled,
  "triggers[recurring][enabled]": isEnabled,
});
export type MessagesQuery = z.output<typeof query>;

export const cursorKey = z.strictObject({ ct: z.number().int(), id: storableText(64) });

export const messagesAnswer = pageOf(batchMessageShape.partial());

export const messagesExample = {
  data: [messageExample],
  pagination: { per_page: 25, page: 1, next_cursor: null },
};
