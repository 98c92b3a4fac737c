import { z } from "zod";
import { storableText } from "../../paging/query.ts";
import { sendLimits, sentExample, sentShape } from "../../templates/sendTemplate/schema.ts";

const value = z.union([storableText(1_024).min(1), z.number().int()]);

export const body = z
  .record(z.string().min(1).max(1_024), z.array(value).max(sendLimits.testRecipients))
  .refine((named) => Object.values(named).some((values) => values.length > 0), {
    message: "must name somebody",
    params: { code: "required" },
  })
  .refine((named) => Object.values(named).flat().length <= sendLimits.testRecipients, {
    message: `names more than ${sendLimits.testRecipients} recipients`,
    params: { code: "too_many" },
  });
export type TestBody = z.output<typeof body>;

export const requestExample = { email: ["grace@example.com"] };

export const answerShape = sentShape;
const [entry] = sentExample.messagecontacts;
const cID = "65f0c0ffee65f0c0ffee0001";
export const answerExample = {
  ...sentExample,
  messagecontacts: [{ ...entry, mcID: `65f0c0ffee65f0c0ffee0100:65f0c0ffee65f0c0ffee00e1:t:${cID}:2` }],
};
