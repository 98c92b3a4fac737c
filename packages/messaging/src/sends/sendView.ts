import { pageOf } from "@headwater/api/paging/answerSchema";
import { listQuery, storableText } from "@headwater/api/paging/query";
import { type Account, toTimestamp } from "@headwater/contracts";
import { z } from "zod";
import type { ListedSend } from "./sendReads.ts";
import { SEND_STATES } from "./sendRow.ts";

/** A send of a message, as lists show it. */
export const sendShape = z.strictObject({
  cID: z.string().describe("Of the live contact; `mcID` keeps the one of the time of sending."),
  address: z
    .string()
    .optional()
    .describe("Address that it went or is going to; else the one that the contact has now, if any."),
  state: z.enum(SEND_STATES),
  reason: z.string().optional(),
  mcID: z.string().optional(),
  variant: z.string().optional(),
  attempts: z.number().int(),
  at: z.string().describe("Time of the last change of the state."),
  code: z.number().int().optional(),
  text: z.string().optional().describe("Answer of the server, or what could not be rendered."),
});

export const SEND_MEMBERS = Object.keys(sendShape.shape);

export const sendsQuery = z.strictObject({
  ...listQuery,
  state: z.enum(SEND_STATES).optional(),
  reason: storableText(128).optional(),
  cID: storableText(64).optional(),
});
export type SendsQuery = z.output<typeof sendsQuery>;

export const sendsCursor = z.strictObject({
  message: storableText(1_024),
  contact: z.number().int(),
  n: z.number().int(),
});

export const sendsAnswer = pageOf(sendShape.partial());

/** Returns a send as lists show it. A contact that was erased before its row was made has no id any more. */
export function sendRecord({ id }: Account, send: ListedSend): Record<string, unknown> {
  const { cid, survivor, address, state, reason, message, kind, n, variant, attempts, at, code, text } = send;
  return {
    cID: survivor ?? cid,
    ...(address !== null && { address }),
    state,
    ...(reason !== null && { reason }),
    ...(cid !== "" && { mcID: [id, message, kind, cid, n].join(":") }),
    ...(variant !== null && { variant }),
    attempts,
    at: toTimestamp(at),
    ...(code !== null && { code }),
    ...(text !== null && { text }),
  };
}

const cID = "65f0c0ffee65f0c0ffee0001";
export const sendsExample = {
  data: [
    {
      ...{ cID, address: "grace@example.com", state: "sent" },
      mcID: `65f0c0ffee65f0c0ffee0100:65f0c0ffee65f0c0ffee00d1:d260109:a:${cID}:1`,
      ...{ attempts: 1, at: "2026-01-09T22:47:12.000Z", code: 250, text: "2.0.0 queued" },
    },
  ],
  pagination: { per_page: 25, page: 1, next_cursor: null },
};
