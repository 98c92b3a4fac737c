import { SEND_STATES } from "@headwater/stores/sends";
import { z } from "zod";
import { pageOf } from "../../paging/answerSchema.ts";
import { listQuery, storableText } from "../../paging/query.ts";

export const query = z.strictObject({
  ...listQuery,
  sort_by: z.enum(["contact"]).optional(),
  state: z.enum(SEND_STATES).optional(),
  reason: storableText(64).optional(),
  cID: storableText(64).optional(),
});
export type SendsQuery = z.output<typeof query>;

export const cursorKey = z.strictObject({ message: storableText(128), contact: z.number().int(), n: z.number().int() });

/** One contact of the audience, and what became of the message to it. */
const sendShape = z.strictObject({
  cID: z.string(),
  address: z.string().optional(),
  state: z.enum(SEND_STATES),
  reason: z.string().optional(),
  mcID: z.string().optional(),
  variant: z.string().optional(),
  attempts: z.number().int(),
  at: z.string(),
  code: z.number().int().optional(),
  text: z.string().optional(),
});

export const SEND_MEMBERS = Object.keys(sendShape.shape);
export const sendsAnswer = pageOf(sendShape.partial());

export const sendsExample = {
  data: [
    {
      ...{ cID: "65f0c0ffee65f0c0ffee0001", address: "ada@example.com", state: "sent", attempts: 1 },
      mcID: "65f0c0ffee65f0c0ffee0100:65f0c0ffee65f0c0ffee00e1:b:65f0c0ffee65f0c0ffee0001:1",
      ...{ at: "2026-01-09T22:47:12.000Z", code: 250, text: "2.0.0 OK" },
    },
  ],
  pagination: { per_page: 25, page: 1, next_cursor: null },
};
