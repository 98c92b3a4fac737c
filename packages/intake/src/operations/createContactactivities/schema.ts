import { shapes } from "@headwater/contracts";
import { z } from "zod";

const suppressTriggers = z
  .boolean()
  .optional()
  .describe("True: no automation starts for the activities. Default false.");

export const body = z.strictObject({
  source: shapes.source,
  contact: shapes.contact,
  contactactivities: z.array(shapes.event).min(1).max(shapes.bounds.eventsPerBody),
  suppressTriggers,
});
export type Body = z.infer<typeof body>;

/** The first record of an item carries the contact's attributes, the others only its identifiers. */
export const record = z.strictObject({
  ...shapes.recordMembers,
  contact: shapes.contact,
  event: shapes.event,
  suppressTriggers,
});
export type CreateContactactivitiesRecord = z.infer<typeof record>;
