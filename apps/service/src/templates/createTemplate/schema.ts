import { z } from "zod";
import { messageExample, templateMembers } from "../templateView.ts";

const { key, name, channel, baseAggregation, message, tags, transportID, draftContent, ...usual } = templateMembers;
const { classification, trackLinks, priority, bcc, bccEnabled, trackOpens, strict, onUnknown, triggers, tests } = usual;

export const body = z.object({
  ...{ key, name, channel, baseAggregation, message, tags, transportID, draftContent },
  classification: classification.optional(),
  trackLinks: trackLinks.optional(),
  priority: priority.optional(),
  bcc: bcc.optional(),
  bccEnabled: bccEnabled.optional(),
  trackOpens: trackOpens.optional(),
  strict: strict.optional(),
  onUnknown: onUnknown.optional(),
  triggers: triggers.optional(),
  tests: tests.optional(),
});
export type NewTemplate = z.output<typeof body>;

export const requestExample = {
  ...{
    key: "welcome-2026",
    name: "Welcome",
    channel: "email",
    classification: "promotional",
    baseAggregation: "daily",
  },
  tags: ["welcome"],
  message: messageExample,
};
