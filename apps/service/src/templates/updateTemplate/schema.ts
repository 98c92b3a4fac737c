import { z } from "zod";
import { storableText } from "../../paging/query.ts";
import { messageExample, templateMembers } from "../templateView.ts";

const { message, tests, ...rest } = templateMembers;

export const body = z.object({
  ...z.object(rest).partial().shape,
  key: storableText(1_024).optional(),
  message,
  tests: tests.optional(),
  draft: message
    .optional()
    .describe("With `draftContent`: the content of the draft, which an answer has next to the published `message`."),
  draftTests: tests.optional(),
});
export type TemplateChanges = Omit<z.output<typeof body>, "draft" | "draftTests">;

/** Returns the changes with the content to store: a template that is sent back as it was read has its draft next to the published content. */
export function changesMeant({ draft, draftTests, ...changes }: z.output<typeof body>): TemplateChanges {
  if (draft === undefined || changes.draftContent !== true) return changes;
  return { ...changes, message: draft, ...(draftTests !== undefined && { tests: draftTests }) };
}

export const requestExample = {
  ...{ name: "Welcome again", message: messageExample, draftContent: true },
  triggers: {
    event: { enabled: true, action: "signup", where: [{ field: "source", op: "eq", value: "shop" }] },
  },
};
