import { shapes } from "@headwater/contracts";
import type { Caller } from "@headwater/http";
import { everyIdentifierIn, identifierWarnings } from "@headwater/records/contacts/addressWarnings";
import { z } from "zod";

const { name, time, UID, properties } = shapes.event.shape;

/** An activity as `/v2` takes it. */
export const activityBody = z
  .object({
    action: name,
    email: z.string().min(1).max(512).optional(),
    cID: z.string().min(1).max(512).optional(),
    identifiers: shapes.identifiers.optional(),
    /** Default: now. */
    time: time.optional(),
    UID,
    properties,
    suppressTriggers: z.boolean().optional().describe("True: no automation starts for the activity. Default false."),
  })
  .superRefine(({ email, cID, identifiers }, context) => {
    if (email !== undefined || cID !== undefined || Object.keys(identifiers ?? {}).length > 0) return;
    const message = "Name the contact by email, cID or identifiers.";
    context.addIssue({ code: "custom", path: ["email"], message, params: { code: "required" } });
  });
export type ActivityBody = z.output<typeof activityBody>;

/** Names the addresses of the activity's contact that cannot be one of their channel. */
export function activityWarnings({ email, identifiers = {} }: ActivityBody, { account }: Caller) {
  const input = [...everyIdentifierIn({ email }, ""), ...everyIdentifierIn(identifiers, "/identifiers")];
  return identifierWarnings(input, account.settings);
}
