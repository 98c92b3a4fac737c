import { z } from "zod";

/** Shapes of the change topics, as the registry knows them. */
const account = z.number().int();
const contact = z.number().int();
const version = z.string().regex(/^[0-9a-f]{32}$/);
const ms = z.number().int();

const contactChange = z.strictObject({
  account,
  contact,
  cid: z.string(),
  createdAt: ms,
  lastModified: ms,
  version,
  mergedInto: z.number().int().optional(),
  ownAgain: z.boolean().optional(),
  erased: z.boolean().optional(),
  aliases: z.array(z.number().int()).optional(),
  /** `[path, value, version?]`: the version stands only where it is not the contact's. */
  fields: z.array(z.array(z.unknown()).min(2).max(3)),
});

const membershipChange = z.strictObject({
  account,
  list: z.number().int(),
  contact,
  present: z.boolean(),
  joinedAt: ms,
  version,
  merge: z.boolean().optional(),
});

const orderChange = z.strictObject({
  account,
  contact,
  orderId: z.string(),
  version,
  purchasedAt: ms,
  status: z.string(),
  counts: z.boolean(),
  currency: z.string(),
  total: z.string().nullable(),
  order: z.record(z.string(), z.unknown()),
  deleted: z.boolean().optional(),
});

const cartChange = z.strictObject({
  account,
  contact,
  version,
  cartId: z.string(),
  lines: z.number().int(),
  expiresAt: ms.nullable(),
  total: z.string().nullable(),
  cart: z.record(z.string(), z.unknown()),
  /** It went to the survivor of a merge: history has it under the contact it was written with. */
  merge: z.boolean().optional(),
});

const supplementChange = z.strictObject({
  account,
  supplement: z.number().int(),
  id: z.string(),
  contact: contact.nullable(),
  version,
  createdAt: ms,
  lastModified: ms,
  record: z.record(z.string(), z.unknown()),
  deleted: z.boolean().optional(),
});

const deadLetter = z.strictObject({
  account,
  recordId: z.string(),
  requestId: z.string(),
  operation: z.string(),
  code: z.string(),
  path: z.string(),
  message: z.string(),
  topic: z.string(),
  partition: z.number().int(),
  offset: z.number().int(),
  rejectedAt: ms,
  payload: z.unknown(),
});

const frameOf = (change: z.ZodType) => z.strictObject({ position: z.number().int(), changes: z.array(change) });

/** Schema of the messages of each change topic, by topic; the topic's name is the subject. */
export const changeFrames = {
  "changes.contacts": frameOf(contactChange),
  "changes.memberships": frameOf(membershipChange),
  "changes.orders": frameOf(orderChange),
  "changes.carts": frameOf(cartChange),
  "changes.supplements": frameOf(supplementChange),
  deadletters: frameOf(deadLetter),
} as const;
