import { z } from "zod";
import { storableText } from "../../paging/query.ts";
import { messageExample, templateMembers } from "../templateView.ts";

const { message, ...rest } = templateMembers;

export const body = z.object({
  ...z.object(rest).partial().shape,
  key: storableText(1_024).optional(),
  message,
});
export type TemplateChanges = z.output<typeof body>;

export const requestExample = {
  ...{ name: "Welcome again", message: messageExample, draftContent: true },
  triggers: {
    event: { enabled: true, action: "signup", where: [{ field: "source", op: "eq", value: "shop" }] },
  },
};
