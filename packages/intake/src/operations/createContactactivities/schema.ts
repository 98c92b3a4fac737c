import { shapes } from "@headwater/contracts";
import { z } from "zod";

export const body = z.strictObject({
  source: shapes.source,
  suppressTriggers: shapes.suppressTriggers,
  contact: shapes.contact,
  contactactivities: z.array(shapes.event).min(1).max(shapes.bounds.eventsPerBody),
});
export type Body = z.infer<typeof body>;

/** The first record of an item carries the contact's attributes, the others only its identifiers. */
export const record = z.strictObject({
  ...shapes.recordMembers,
  contact: shapes.contact,
  event: shapes.event,
});
export type CreateContactactivitiesRecord = z.infer<typeof record>;
