import { shapes } from "@headwater/contracts";
import { z } from "zod";

const members = {
  /** The destination: it survives. */
  contact: shapes.contact,
  /** Names under which the contact that is merged into it is searched for, in order. */
  previous: shapes.contactReference,
} as const;

export const body = z.strictObject({ source: shapes.source, suppressTriggers: shapes.suppressTriggers, ...members });
export const record = z.strictObject({ ...shapes.recordMembers, ...members });
export type MergeContactsRecord = z.infer<typeof record>;
