import { z } from "zod";
import { bounds } from "./bounds.ts";
import { parseDecimal } from "./decimal.ts";
import { parseTime } from "./time.ts";

/**
 * Shapes of the intake API, in wire form: no transforms, so that what was checked by validation is what is written to
 * Kafka. All objects are closed; validation strips unknown members first and names them in `warnings`.
 */

export { bounds };

export const text = z.string().max(bounds.textCharacters);
export const timestamp = z.string().refine((value) => parseTime(value) !== undefined, {
  message: "is not an ISO 8601 date or timestamp",
  params: { code: "bad_value" },
});
export const decimal = z.union([z.number(), z.string().max(64)]).refine((value) => parseDecimal(value) !== undefined, {
  message: "is not a decimal below 10^14",
  params: { code: "bad_value" },
});
const freeFormRules = `Names of at most ${bounds.memberNameBytes} bytes; at most ${bounds.propertiesDepth} levels, and a dotted name has as many as it has parts.`;
export const freeForm = z.record(z.string(), z.unknown()).meta({ description: freeFormRules });

export const identifierValue = z.union([z.string().min(1), z.number().int()]);
export const identifiers = z.record(z.string().min(1).max(bounds.identifierNameCharacters), identifierValue);
export const identifiersPriority = z
  .array(z.string().max(bounds.identifierNameCharacters))
  .max(bounds.identifiersPerContact);

export const channel = z.strictObject({
  address: z.string().min(1).max(1024).optional(),
  subscribeStatus: z.enum(["subscribed", "unsubscribed", "none", "pending"]).optional(),
  subscribedAt: timestamp.optional(),
  unsubscribedAt: timestamp.optional(),
});
/** Write of one channel. Calls of `/v2` remove its address by null, records of intake never do. */
export interface ChannelWrite extends Omit<z.infer<typeof channel>, "address"> {
  readonly address?: string | null | undefined;
}

/** Channels by name. An opt-in is asked for by sms alone: no other channel is ever `pending`. */
export function refusePending(
  channels: Readonly<Record<string, { readonly subscribeStatus?: string | undefined } | null>>,
  context: z.RefinementCtx,
): void {
  for (const [name, channel] of Object.entries(channels)) {
    if (channel?.subscribeStatus !== "pending" || name === "sms") continue;
    const message = "Only sms can be pending, until its opt-in is confirmed.";
    context.addIssue({ code: "custom", path: [name, "subscribeStatus"], message, params: { code: "bad_value" } });
  }
}

const channels = z.record(z.string().min(1).max(128), channel).superRefine(refusePending);
export const attributes = z
  .looseObject({ channels: channels.optional() })
  .meta({ description: `Names of at most ${bounds.attributeKeyBytes} bytes.` });
export interface AttributesWrite {
  readonly channels?: Readonly<Record<string, ChannelWrite>> | undefined;
  readonly [name: string]: unknown;
}

export const mergeOptions = z.strictObject({
  mergeAllowed: z.boolean().optional(),
  mergeableSecondaryKeys: z.array(z.string().max(bounds.identifierNameCharacters)).max(64).optional(),
});

export const contactMembers = {
  identifiers,
  identifiersPriority: identifiersPriority.optional(),
  attributes: attributes.optional(),
  forceSubscribe: z.boolean().optional(),
  mergeOptions: mergeOptions.optional(),
  restrictedUpdateAttrKeys: z.array(z.string()).max(1000).optional(),
  canBeCreated: z.boolean().optional(),
  canBeUpdated: z.boolean().optional(),
} as const;
export const contact = z.strictObject(contactMembers);
export interface ContactWrite extends Omit<z.infer<typeof contact>, "attributes"> {
  readonly attributes?: AttributesWrite | undefined;
}

export const contactReference = z.strictObject({
  identifiers,
  identifiersPriority: identifiersPriority.optional(),
});
export type ContactReference = z.infer<typeof contactReference>;

export const device = z.strictObject({
  type: z.enum(["Computer", "Tablet", "Mobile"]).optional(),
  device: text.optional(),
  platform: text.optional(),
  browser: text.optional(),
  ip: text.optional(),
  robot: z.boolean().optional(),
});

export const geo = z.strictObject({
  city: text.optional(),
  country: text.optional(),
  geoLoc: z.strictObject({ lat: z.number().min(-90).max(90), lon: z.number().min(-180).max(180) }).optional(),
});

export const event = z.strictObject({
  name: z.string().min(1).max(bounds.eventNameCharacters),
  time: timestamp,
  UID: z.string().min(1).max(512).optional(),
  geo: geo.optional(),
  device: device.optional(),
  properties: freeForm.optional(),
});
export type EventWrite = z.infer<typeof event>;

export const postal = z.strictObject({
  name: text.optional(),
  address: text.optional(),
  city: text.optional(),
  state: text.optional(),
  postalCode: text.optional(),
  country: text.optional(),
});

export const orderItem = z.strictObject({
  productID: z.string().min(1).max(512),
  sku: z.string().max(512),
  name: text,
  manufacturerName: text.optional(),
  category: text.optional(),
  description: text.optional(),
  productType: text.optional(),
  UPCCode: text.optional(),
  itemPrice: decimal.optional(),
  salePrice: decimal.optional(),
  qty: z.number().int().optional(),
  url: text.optional(),
  images: z.array(text).max(100).optional(),
  tags: z.array(text).max(100).optional(),
  inStock: z.boolean().optional(),
  taxable: z.boolean().optional(),
  enabled: z.boolean().optional(),
  properties: freeForm.optional(),
  attr: freeForm.optional(),
});
export type OrderItemWrite = z.infer<typeof orderItem>;

export const order = z.strictObject({
  orderID: z.string().min(1).max(bounds.orderIdCharacters),
  purchaseDate: timestamp,
  status: z.string().max(128).optional(),
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/)
    .optional(),
  items: z.array(orderItem).min(1).max(bounds.itemsPerOrder),
  discountApplication: z.strictObject({ type: z.literal("fixed"), amount: decimal }).optional(),
  tax: decimal.optional(),
  shippingAndHandling: decimal.optional(),
  totalAmount: decimal.optional(),
  shippingAddress: postal.optional(),
  billingAddress: postal.optional(),
  properties: freeForm.optional(),
  mcID: text.optional(),
  msID: text.optional(),
  linkID: text.optional(),
  customerID: text.optional(),
  storeID: text.optional(),
  /** The cart it was made of: the contact's cart is emptied when it carries the same. */
  cartID: text.optional(),
});
export type OrderWrite = z.infer<typeof order>;

const qtyOfCart = z.number().int().min(1).max(bounds.qtyOfCartLine);

export const cartItem = z.strictObject({
  productID: z.string().min(1).max(512),
  sku: z.string().max(512),
  qty: qtyOfCart,
  category: text,
  name: text,
  description: text.optional(),
  itemPrice: decimal.optional(),
  url: text.optional(),
  images: z.array(text).max(100).optional(),
  properties: freeForm.optional(),
  attr: freeForm.optional(),
});
export type CartItemWrite = z.infer<typeof cartItem>;

export const cartItemForRemoval = z.strictObject({
  productID: z.string().min(1).max(512),
  qty: qtyOfCart,
  sku: z.string().max(512).nullable().optional(),
});
export type CartItemRemoval = z.infer<typeof cartItemForRemoval>;

/** Members of a cart next to its lines; absent = unchanged. */
export const cart = z.strictObject({
  cartID: text.optional(),
  customerID: text.optional(),
  mcID: text.optional(),
  linkID: text.optional(),
  url: text.optional(),
  expiration: timestamp.optional(),
  tax: decimal.optional(),
});
export type CartWrite = z.infer<typeof cart>;

export const supplementKey = z.string().min(1).max(128);
export const supplementIndexes = z
  .array(
    z.strictObject({
      field: z.string().min(1).max(bounds.attributeKeyBytes),
      type: z.enum(["string", "number", "date", "geo", "array"]),
    }),
  )
  .max(64);
export type SupplementIndex = z.infer<typeof supplementIndexes>[number];

/** Indexes of a table as they are stored. */
export const storedSupplementIndexes = z.array(
  supplementIndexes.element.extend({
    /** Names the index in its entries. */
    slot: z.number().int(),
    /** Dates alone are read in this zone. */
    timezone: z.string(),
    /** `building`: records that were there before it are still being put into it. */
    state: z.enum(["building", "ready"]),
  }),
);
export type StoredSupplementIndex = z.infer<typeof storedSupplementIndexes>[number];

/** Free-form; whether it needs an id, and what its fields must be, its table says when it is applied. */
export const supplementRecord = z
  .looseObject({
    id: z.string().min(1).max(256).optional(),
    suppressTriggers: z.boolean().optional(),
  })
  .meta({ description: `Names of at most ${bounds.memberNameBytes} bytes.` });
export type SupplementRecordWrite = z.infer<typeof supplementRecord>;

export const source = z.string().max(256).optional();

/** Keeps a write from starting automations. Its default is that of the operation. */
export const suppressTriggers = z
  .boolean()
  .optional()
  .describe("True: the write starts no automation. Waits, goals and exits of running ones see it all the same.");

export const listTarget = {
  listName: z
    .string()
    .regex(/^[A-Za-z0-9-]{1,128}$/, "must contain only letters, digits and dashes, 128 at most")
    .refine((name) => name.toLowerCase() !== "cid", { message: "may not be cid" })
    .optional(),
  listId: z.number().int().positive().max(2_147_483_647).optional(),
} as const;

/** Members every record on an intake topic has. */
export const recordMembers = {
  /** `<request id>:<item>:<element>`. */
  id: z.string(),
  /** Milliseconds since 1970 at which intake took it. */
  receivedAt: z.number().int(),
  /** The call carried an Idempotency-Key: the record's id is kept for 72 h and it is applied once. */
  keyed: z.boolean().optional(),
  /** A parked or rejected record that is tried again; carries the id of the record it stands for. */
  redriveOf: z.string().optional(),
  /** A partner's own name of what the record says: it is applied once for 72 h, with whatever request it comes. */
  once: z.string().optional(),
  /**
   * Position of the record's row in the source of an import, from 0. An import writes its rows in order, so in a partition one at or
   * below the greatest that was applied stands in the log again.
   */
  row: z.number().int().min(0).optional(),
  source,
  suppressTriggers,
} as const;

/** A frame: the unit in Kafka. */
export function frameOf<T extends z.ZodType>(record: T) {
  return z.strictObject({
    /** `<subject>@<fingerprint of its schema>`; frames of before November 2026 have none. */
    schema: z.string().max(120).optional(),
    account: z.string().regex(/^[0-9a-f]{24}$/),
    records: z.array(record).min(1).max(500),
  });
}

/** Names of activities that only a sending system may report. */
export const reservedActions: ReadonlySet<string> = new Set([
  "message-sent",
  "open",
  "click",
  "optout",
  "bounce",
  "complaint",
  "pageview",
  "message-stopped",
]);
