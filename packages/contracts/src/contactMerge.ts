import { z } from "zod";

const side = z.enum(["sourceContact", "destinationContact"]);
const share = z.enum(["merge", "ignore"]);

/**
 * Options of `/v2/contacts/merge`, group by group. The chosen side wins where both have something of one name; what only the other side
 * has is kept.
 */
export const contactMergeOptions = z.object({
  email_channels: side.default("destinationContact"),
  sms_channels: side.default("destinationContact"),
  push_channels: share.default("merge"),
  attributes: side.default("destinationContact"),
  lists: side.default("destinationContact"),
  /** Records have ids of their own, so that no two of them stand in each other's way: both sides' belong to the destination. */
  supplements: side.default("destinationContact"),
  orders: share.default("merge"),
  events: share.default("merge"),
  cart: z.enum(["sourceContact", "destinationContact", "lastModified"]).default("lastModified"),
});
export type ContactMergeOptions = z.output<typeof contactMergeOptions>;
